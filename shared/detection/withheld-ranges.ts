import { closingQuote, type Span, type TextSlot } from '../text/index.ts';
import { isData } from './detectors/slot-roles.ts';
import type { Finding, WithheldRange } from './types.ts';

/** What stands for a passage of untrusted data that gives the model instructions. */
export const WITHHELD = '[WITHHELD: instruction in untrusted content]';

/** A sentence without an end is cut this far from the finding, in UTF-16 units. */
const MAX_SENTENCE = 2_000;
/** An instruction that fills this share of a text takes the whole text with it. */
const WHOLE_FROM = 1 / 3;
/** An object, an array or a string alone. */
const JSON_TEXT = /^\s*[[{"]/;
/** Where an instruction does not stand as it reads: in a code, in invisible characters, or in several texts. */
const SPREAD = /^(?:model\.decoded-|hidden\.|conversation\.)/;

/**
 * The sentences that a finding stands in; in JSON those within the string literals that it touches, so that the JSON
 * stays valid (`isJson`, for callers that know it); all of `scope` if the instruction is encoded or spread. UTF-16
 * offsets into `text`. Depends on nothing else, so the same text always loses the same passage.
 */
export function withheldRanges(
  text: string,
  finding: Pick<Finding, 'start' | 'end' | 'rule'>,
  scope: Span = { start: 0, end: text.length },
  isJson = isJsonText(text),
): WithheldRange[] {
  const isWhole = SPREAD.test(finding.rule);
  const scopes = isJson ? stringsAt(text, finding) : [scope];
  return scopes.map((inner) => {
    if (isWhole) return { ...inner, scope: inner };
    const start = Math.max(finding.start, inner.start);
    const end = Math.min(finding.end, inner.end);
    return {
      start: sentenceStart(text, start, Math.max(inner.start, start - MAX_SENTENCE)),
      end: sentenceEnd(text, end, Math.min(inner.end, end + MAX_SENTENCE)),
      scope: inner,
    };
  });
}

/** The untrusted data that a finding stands in; null if it stands in a person's own words. */
export function untrustedScope(finding: Pick<Finding, 'passage' | 'rule'>, slot: TextSlot): Span | null {
  if (finding.passage !== undefined) return finding.passage;
  const isPoisonedTool = finding.rule === 'tool.poisoned-description';
  return isData(slot) || isPoisonedTool ? { start: 0, end: slot.text.length } : null;
}

/** In order and apart; the whole of a scope if a third or more of it is withheld. */
export function mergeWithheld(ranges: readonly WithheldRange[]): Span[] {
  const byScope = new Map<number, WithheldRange[]>();
  for (const range of ranges) {
    const own = byScope.get(range.scope.start);
    if (own === undefined) byScope.set(range.scope.start, [range]);
    else own.push(range);
  }
  const merged = [...byScope.values()].flatMap((own) => {
    const { scope } = own[0]!;
    const spans = union(own);
    const length = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    return length >= (scope.end - scope.start) * WHOLE_FROM ? [scope] : spans;
  });
  return union(merged);
}

/** In order; spans that overlap or touch become one. */
export function union(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || start > last.end) result.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return result;
}

/** One JSON value, or one on each line. */
export function isJsonText(text: string): boolean {
  return (
    isJson(text) ||
    (JSON_TEXT.test(text) && text.split('\n').every((line) => line.trim() === '' || isJson(line)))
  );
}

function isJson(text: string): boolean {
  if (!JSON_TEXT.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The insides of the string literals that a finding touches. */
function stringsAt(json: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  for (let open = json.indexOf('"'); open !== -1 && open < end; ) {
    const close = closingQuote(json, open);
    if (close === -1) break;
    if (close > start) found.push({ start: open + 1, end: close });
    open = json.indexOf('"', close + 1);
  }
  // A number cannot contain a sentence: a finding in one keeps its own range.
  return found.length === 0 ? [{ start, end }] : found;
}

const ENDS = '.!?…。！？';
const CLOSING = '"\'”’»)]*_`';

/** The first character of the sentence or line that `at` stands in, not before `from`. */
function sentenceStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && !endsAt(text, start)) start--;
  while (start < at && text[start]!.trim() === '') start++;
  return start;
}

/** Behind the sentence or line that `at` stands in, not behind `to`. */
function sentenceEnd(text: string, at: number, to: number): number {
  let end = Math.min(Math.max(at, 1), to);
  while (end < to && !endsAt(text, end)) end++;
  while (end > at && text[end - 1]!.trim() === '') end--;
  return end;
}

/** Whether a sentence or a line ends before the character at `at`. */
function endsAt(text: string, at: number): boolean {
  if (isLineEnd(text, at) || /[\n\r]/.test(text[at - 1]!)) return true;
  // Behind an escaped line end.
  if (isLineEnd(text, at - 2) && text[at - 2] === '\\') return true;
  let last = at - 1;
  while (last > 0 && CLOSING.includes(text[last]!)) last--;
  const mark = text[last]!;
  if (!ENDS.includes(mark)) return false;
  return mark > '\u2026' || at === text.length || text[at]!.trim() === '';
}

/** A line end, as it stands or as JSON and code write it. */
function isLineEnd(text: string, at: number): boolean {
  const code = text[at];
  return code === '\n' || code === '\r' || (code === '\\' && /[nr]/.test(text[at + 1] ?? ''));
}
