import { finish, type TextSlot } from '../text/index.ts';
import { isJsonText } from './json-text.ts';
import type { DirectionRules } from './ruleset.ts';
import type { Finding, WithheldRange } from './types.ts';
import { OrderReader } from './units/order-reader.ts';
import { mergeWithheld, untrustedScope, withheldRanges } from './withheld-ranges.ts';

/** The most repeated readings of a text. If the last one still finds an instruction, the whole text is withheld. */
const MAX_READINGS = 4;

/**
 * Returns the findings that `found`, the result of the first reading, does not contain. The strongest instruction hides
 * the weaker ones of a text, and withholding it alone would allow them. So the text is read again without the passages
 * that would be withheld, until nothing more is found. `read` returns the findings of a text of the same length. Nearly
 * all texts are read once.
 */
export function findInRest(
  slot: TextSlot,
  found: readonly Finding[],
  { thresholds }: Pick<DirectionRules, 'thresholds'>,
  read: (text: string) => readonly Finding[],
): Finding[] {
  const counts = (finding: Finding): boolean =>
    finding.pii === undefined &&
    finding.policyId === undefined &&
    finding.confidence >= (thresholds.get(finding.type) ?? 1) &&
    untrustedScope(finding, slot) !== null;
  let fresh = found.filter(counts);
  if (fresh.length === 0) return [];
  const all = [...fresh];
  const isJson = finish(isJsonText(slot.text));
  const reader = new OrderReader();
  const ranges: WithheldRange[] = [];
  for (let reading = 0; reading < MAX_READINGS && fresh.length > 0; reading++) {
    for (const finding of fresh) {
      const scope = untrustedScope(finding, slot)!;
      ranges.push(...finish(withheldRanges(slot.text, finding, { scope, isJson, reader })));
    }
    fresh = read(without(slot.text, mergeWithheld(ranges))).filter(counts);
    all.push(...fresh);
  }
  const last = fresh[0];
  if (last !== undefined) all.push({ ...last, start: 0, end: slot.text.length });
  return all.slice(found.filter(counts).length);
}

/** Replaces the ranges with spaces, so that offsets stay the same. */
function without(text: string, ranges: readonly { readonly start: number; readonly end: number }[]): string {
  let left = '';
  let at = 0;
  for (const { start, end } of ranges) {
    left += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return left + text.slice(at);
}
