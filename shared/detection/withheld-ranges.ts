import { closingQuote, type Span, type TextSlot } from '../text/index.ts';
import { isData } from './detectors/slot-roles.ts';
import type { Finding, WithheldRange } from './types.ts';

/** The replacement for a passage of untrusted data that gives the model instructions. */
export const WITHHELD = '[WITHHELD: instruction in untrusted content]';

/** A sentence without an end is cut at this distance from the finding, in UTF-16 units. */
const MAX_SENTENCE = 2_000;
/** If an instruction is at least this share of a text, the whole text is withheld. */
const WHOLE_FROM = 1 / 3;
/** The beginning of an object, an array or a string. */
const JSON_TEXT = /^\s*[[{"]/;
/**
 * Rules for instructions without a readable position: encoded, in invisible characters, or spread over several texts.
 */
const SPREAD = /^(?:model\.decoded-|hidden\.|conversation\.)/;

/**
 * Returns the sentences that contain a finding. In JSON they stay within the string literals that the finding overlaps,
 * so that the JSON remains valid (`isJson`: for callers that already know). If the instruction is encoded or spread,
 * all of `scope` is returned. UTF-16 offsets into `text`. The result depends on nothing else, so the same text always
 * loses the same passage.
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

/** Returns the untrusted data that contains a finding; null if the finding is in a person's own words. */
export function untrustedScope(finding: Pick<Finding, 'passage' | 'rule'>, slot: TextSlot): Span | null {
  if (finding.passage !== undefined) return finding.passage;
  const isPoisonedTool = finding.rule === 'tool.poisoned-description';
  return isData(slot) || isPoisonedTool ? { start: 0, end: slot.text.length } : null;
}

/** Returns the ranges in order, without overlaps; the whole of a scope if a third or more of it is withheld. */
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

/** Returns the spans in order; those that overlap or touch become one. */
export function union(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || start > last.end) result.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return result;
}

/** True for one JSON value, or one on each line. */
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

/** Returns the contents of the string literals that a finding overlaps. */
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

/** Returns the start of the sentence or line that contains `at`, not before `from`. */
function sentenceStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && !endsAt(text, start)) start--;
  while (start < at && text[start]!.trim() === '') start++;
  return start;
}

/** Returns the end of the sentence or line that contains `at`, not after `to`. */
function sentenceEnd(text: string, at: number, to: number): number {
  let end = Math.min(Math.max(at, 1), to);
  while (end < to && !endsAt(text, end)) end++;
  while (end > at && text[end - 1]!.trim() === '') end--;
  return end;
}

/** True if a sentence or a line ends before the character at `at`. */
function endsAt(text: string, at: number): boolean {
  if (isLineEnd(text, at) || /[\n\r]/.test(text[at - 1]!)) return true;
  // After an escaped line end.
  if (isLineEnd(text, at - 2) && text[at - 2] === '\\') return true;
  let last = at - 1;
  while (last > 0 && CLOSING.includes(text[last]!)) last--;
  const mark = text[last]!;
  if (!ENDS.includes(mark)) return false;
  return mark > '\u2026' || at === text.length || text[at]!.trim() === '';
}

/** True for a line end, literal or escaped as in JSON and code. */
function isLineEnd(text: string, at: number): boolean {
  const code = text[at];
  return code === '\n' || code === '\r' || (code === '\\' && /[nr]/.test(text[at + 1] ?? ''));
}
