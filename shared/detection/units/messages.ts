import { UNIT } from '../operating-points/units.ts';
import { groupsFrom, type Line, shareOf } from './lines.ts';
import type { Part } from './unit.ts';

const HEADER =
  /^(?:>\s?)*\*{0,2}(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet|de|à|para|objet|asunto|assunto|envoyé|fecha|data|da|a|oggetto|van|aan|onderwerp|от|кому|тема|дата|发件人|收件人|主题|日期|差出人|宛先|件名)\*{0,2}\s*[:：]\s?/iu;
const REPLY =
  /^-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine)|^On .{5,120} wrote:\s*$/i;
/** The beginning of a message in a chat export: a time, and a name before a colon or a gap. */
const CHAT =
  /^\s*(?:[-*>]\s+)?\[?(?:\d{4}-\d\d-\d\d[T ]|\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?Z?\]?\s*[-–—]?\s*[<@]?[\p{L}_][\p{L}\d_ .'-]{0,40}>?\s*[:：]\s*/u;
const NAMED =
  /^\s*\*{0,2}([@<]?[\p{Lu}\p{Lo}@][\p{L}\d_.'-]*(?: [\p{L}\d_.'-]+){0,2})>?(?: \(\d{1,2}:\d{2}[^)]{0,10}\))?\*{0,2}\s*[:：]\*{0,2}\s+(?=\S)/u;
const SAYING = /[:：]\*{0,2}\s+\S+(?:\s+\S+){2}/;
/** The beginning of a record of a log: a time or a level. */
const RECORD =
  /^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]\S*|\[?\d\d:\d\d:\d\d\S*|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d\S*|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b|\d{1,3}(?:\.\d{1,3}){3} - )\]?(?:\s+\d\d:\d\d\S*)?(?:\s+\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b\]?)?\s*(?:[\w.$[\]/-]{1,60}: )?/;
const DIFF = /^(?:diff --git |@@ -\d|--- \S|\+\+\+ \S|index [0-9a-f]{7})/;

/** Returns header lines and bodies of mails, if a text has two headers in a row. */
export function readMails(lines: readonly Line[]): Part[] | undefined {
  const isHead = (line: Line | undefined): boolean => line !== undefined && HEADER.test(line.text);
  if (!lines.some((line, index) => isHead(line) && isHead(lines[index + 1]))) return undefined;
  const spans: Part[] = [];
  const bodies: Line[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const begins = isHead(line) && (isHead(lines[index + 1]) || isHead(lines[index - 1]));
    if (!begins && !REPLY.test(line.text)) bodies.at(-1)!.push(line);
    else {
      bodies.push([]);
      const [head = ''] = HEADER.exec(line.text) ?? [];
      spans.push({ start: line.start, end: line.end, isFrame: true });
      spans.push({ start: line.start + head.length, end: line.end });
    }
  }
  for (const body of bodies) {
    if (body.length > 0) spans.push({ start: body[0]!.start, end: body.at(-1)!.end });
  }
  return spans;
}

/** Returns the messages of a chat export or the records of a log. */
export function readMessages(lines: readonly Line[]): Part[] | undefined {
  if (lines.length < 2) return undefined;
  if (shareOf(lines, CHAT) >= UNIT.records) return groupsFrom(lines, CHAT);
  if (shareOf(lines, RECORD) >= UNIT.records) return groupsFrom(lines, RECORD);
  const speakers = lines.map(({ text }) => NAMED.exec(text)?.[1]).filter((name) => name !== undefined);
  const distinct = new Set(speakers).size;
  const isTranscript = speakers.length >= 8 && distinct <= speakers.length * UNIT.speakers;
  const isChat = isTranscript || (distinct < speakers.length && shareOf(lines, SAYING) >= UNIT.speech);
  return isChat && shareOf(lines, NAMED) >= UNIT.speech ? groupsFrom(lines, NAMED) : undefined;
}

/** Returns the runs of added, removed and kept lines of a diff; what names files and places is a frame. */
export function readDiff(lines: readonly Line[]): Part[] | undefined {
  if (!lines.some(({ text }) => DIFF.test(text))) return undefined;
  const parts: { start: number; end: number; isFrame?: boolean }[] = [];
  let before = '';
  for (const { start, end, text } of lines) {
    const sign = DIFF.test(text) ? '@' : (text[0] ?? ' ');
    if (sign === before) parts.at(-1)!.end = end;
    else if (sign === '@') parts.push({ start, end, isFrame: true });
    else parts.push({ start: Math.min(start + 1, end), end });
    before = sign;
  }
  return parts;
}
