import { type Finding, scan } from '@csg/shared/detection';
import { conversationOf, type TextSlot } from '@csg/shared/text';
import { type DeviceVerdict, decideTexts } from './decide-texts.ts';
import type { InspectedRequest } from './evaluate-reading.ts';

/**
 * Finds what only shows after values were restored: attacks and exfiltration. Personal data and secrets are evaluated
 * in the response as the provider sent it.
 */
export function decideRestored(
  { compiled, host }: InspectedRequest,
  { sent, restored }: { readonly sent: readonly TextSlot[]; readonly restored: readonly TextSlot[] },
  nowMs: number,
): DeviceVerdict {
  const { ruleset, workspace } = compiled;
  const known = scan(sent, ruleset, 'output', { workspace });
  const isNew = (one: Finding): boolean =>
    one.pii === undefined &&
    one.policyId === undefined &&
    one.type !== 'secret_leak' &&
    one.type !== 'pii_leak' &&
    !known.some(({ slot, rule }) => slot === one.slot && rule === one.rule);
  return decideTexts(compiled, conversationOf(restored), 'output', host, nowMs, { isCounted: isNew });
}
