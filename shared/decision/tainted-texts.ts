import { type Finding, mergeWithheld, union, WITHHELD } from '../detection/index.ts';
import type { TaintedText } from '../flow-control/index.ts';
import type { Conversation, Span } from '../text/index.ts';
import type { Verdict } from './verdict.ts';

/**
 * Returns the passages of untrusted data that give the model instructions, whatever is done about them: withheld here or
 * by the service, or only reported. What an approval or an exception lifted is left out.
 */
export function taintedTexts(
  { judged, replacements }: Pick<Verdict, 'judged' | 'replacements'>,
  { slots }: Pick<Conversation, 'slots'>,
): readonly TaintedText[] {
  const ranges = new Map<number, NonNullable<Finding['withheld']>[number][]>();
  for (const { finding, isLifted } of judged) {
    if (finding.withheld === undefined || isLifted === true) continue;
    const known = ranges.get(finding.slot);
    if (known === undefined) ranges.set(finding.slot, [...finding.withheld]);
    else known.push(...finding.withheld);
  }
  const spans = new Map<number, Span[]>([...ranges].map(([slot, found]) => [slot, mergeWithheld(found)]));
  for (const [slot, written] of replacements) {
    const withheld = written.filter(({ text }) => text === WITHHELD);
    if (withheld.length > 0) spans.set(slot, union([...(spans.get(slot) ?? []), ...withheld]));
  }
  return [...spans].flatMap(([index, passages]) => {
    const slot = slots[index];
    return slot === undefined ? [] : [{ slot, passages }];
  });
}
