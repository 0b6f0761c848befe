import type { Span } from '../../text/index.ts';

const ENDS = '.!?…。！？';
const MAX_CLOSING = 8;
/** A line that is at least this long may have been broken in the middle of a sentence. */
const BROKEN_FROM = 30;
const CLOSING = '"\'”’»)]*_`';

/** Returns the sentences and lines of a text, in order, without blanks around them. */
export function sentencesIn(text: string): Span[] {
  const sentences: Span[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && !endsAt(text, at)) continue;
    const written = text.slice(start, at);
    const from = start + (written.length - written.trimStart().length);
    const to = start + written.trimEnd().length;
    if (to > from) sentences.push({ start: from, end: to });
    start = at;
  }
  return sentences;
}

/** True if a sentence or a line ends before the character at `at`. */
function endsAt(text: string, at: number): boolean {
  if (text[at - 1] === '\n') return !goesOn(text, at);
  let last = at - 1;
  while (last > Math.max(0, at - MAX_CLOSING) && CLOSING.includes(text[last]!)) last--;
  const mark = text[last]!;
  if (!ENDS.includes(mark)) return false;
  // "1." before a step and "e.g." are no ends.
  if (mark === '.' && /(?:^|\s)(?:\d{1,2}|[a-z]\.[a-z]|[A-Z])$/.test(text.slice(Math.max(0, last - 4), last)))
    return false;
  return mark > '\u2026' || text[at]!.trim() === '';
}

/** True if the line that begins at `at` continues the sentence of the line before. */
function goesOn(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 2) + 1, at - 1).trimEnd();
  if (before.length < BROKEN_FROM || ENDS.includes(before.at(-1)!) || before.endsWith(':')) return false;
  return (
    /^[ \t>#*/+-]*(?:\p{Ll}|[\p{Lo}])/u.test(text.slice(at, at + 16)) &&
    !/^\s*[-*+] /.test(text.slice(at, at + 16))
  );
}
