import { isWorking, type WorkingData } from '@csg/shared/decision';
import type { Finding } from '@csg/shared/detection';
import type { Steps, TextSlot } from '@csg/shared/text';
import type { Principal } from '../authenticate-key.ts';

/** Returns whether a finding is an agent's working data. Under `strict`, and if the project chose a masking, none is. */
export function workingSlots(
  { ruleset, explicitSettings }: Pick<Principal, 'ruleset' | 'explicitSettings'>,
  dataOf: (slot: TextSlot) => WorkingData,
): (finding: Finding, slot: TextSlot) => Steps<boolean> {
  const isMasked = ruleset.input.strictness === 'strict' || explicitSettings.masking != null;
  return function* (finding, slot) {
    return !isMasked && (yield* isWorking(finding, slot, dataOf(slot)));
  };
}
