import type { Span, Steps, TextSlot } from '../text/index.ts';
import { isData } from './detectors/slot-roles.ts';
import { lineEnd } from './passages/lines.ts';
import type { Finding, WithheldRange } from './types.ts';
import { findUnits, paragraphsAround } from './units/find-units.ts';
import { orderExtent } from './units/order-extent.ts';
import type { OrderReader } from './units/order-reader.ts';
import { overlaps } from './units/unit.ts';

/** The replacement for a passage of untrusted data that gives the model instructions. */
export const WITHHELD = '[WITHHELD: instruction in untrusted content]';

/** If an instruction is at least this share of a unit, the whole unit is withheld. */
const WHOLE_FROM = 1 / 3;
/** An encoded instruction, or one in invisible characters. */
const ENCODED = /^(?:model\.decoded-|hidden\.)/;
/** An instruction spread over several places. */
const SPREAD = /^conversation\./;
/** A line of nothing but code, as base64 has them. */
const CODE_LINE = /^\s*\S{20,}\s*$/;

export interface WithholdOptions {
  /** The untrusted data around the finding. */
  readonly scope: Span;
  /** True: the whole text is JSON. */
  readonly isJson: boolean;
  /** True: the scope is a file of rules. */
  readonly isRules?: boolean;
  readonly reader: OrderReader;
}

/**
 * Returns what is withheld for a finding in untrusted data: the orders around it in its unit and those that follow;
 * for an encoded instruction its code and its line; for one that is spread the units that it touches. In JSON all
 * of it stays within string literals, so that the JSON remains valid, unless it is in none. UTF-16 offsets into `text`.
 * The result depends on nothing else, so the same text always loses the same passage.
 */
export function* withheldRanges(
  text: string,
  finding: Pick<Finding, 'start' | 'end' | 'rule'>,
  { scope, isJson, isRules = false, reader }: WithholdOptions,
): Steps<WithheldRange[]> {
  const found = {
    start: Math.max(finding.start, scope.start),
    end: Math.max(Math.min(finding.end, scope.end), Math.min(finding.start + 1, scope.end)),
  };
  const isEncoded = ENCODED.test(finding.rule);
  if (isEncoded && !isJson) return [whole(encodedLines(text, found, scope))];
  const units = yield* findUnits(text, found, scope, isJson);
  if (isEncoded || SPREAD.test(finding.rule)) {
    const touched = units.filter((unit) => overlaps(unit, found));
    // A row of numbers in JSON is in no literal: all of the data goes, because a part of it cannot.
    return (touched.length > 0 ? touched : [scope]).map(whole);
  }
  const covered = units.reduce(
    (sum, { start, end }) => sum + Math.max(0, Math.min(end, found.end) - Math.max(start, found.start)),
    0,
  );
  const isInUnits = isJson || covered >= (found.end - found.start) / 2;
  const read = isInUnits ? units : paragraphsAround(text, found, scope);
  return yield* orderExtent(read, found, reader, isRules);
}

const whole = ({ start, end }: Span): WithheldRange => ({ start, end, scope: { start, end } });

/** Returns the lines of an encoded instruction. */
function encodedLines(text: string, found: Span, scope: Span): Span {
  let start = lineStart(text, found.start, scope.start);
  while (start > scope.start) {
    const above = lineStart(text, start - 1, scope.start);
    if (!CODE_LINE.test(text.slice(above, start))) break;
    start = above;
  }
  return { start, end: Math.min(lineEnd(text, Math.max(found.start, found.end - 1)), scope.end) };
}

function lineStart(text: string, at: number, from: number): number {
  return Math.max(from, at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
}

/** Returns the untrusted data that contains a finding; null if the finding is in a person's own words. */
export function untrustedScope(finding: Pick<Finding, 'passage' | 'rule'>, slot: TextSlot): Span | null {
  if (finding.passage !== undefined) return finding.passage;
  const isPoisonedTool = finding.rule === 'tool.poisoned-description';
  return isData(slot) || isPoisonedTool ? { start: 0, end: slot.text.length } : null;
}

/** Returns the ranges in order, without overlaps; all of a unit if a third or more of it is withheld. */
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
