import type { Direction } from '../contract/index.ts';
import type { TextSlot } from '../text/index.ts';
import { detectCarryingAddresses } from './detectors/addresses.ts';
import { detectAttacks } from './detectors/attacks.ts';

import { detectUnsafeCall } from './detectors/calls.ts';
import { detectConversation } from './detectors/conversation.ts';

import { detectCustom } from './detectors/custom.ts';
import { detectDataOrders } from './detectors/data-orders.ts';
import { type Detector, isDevelopers, type SlotView } from './detectors/detector.ts';
import { detectHidden } from './detectors/hidden.ts';
import { detectLeaving } from './detectors/leaving.ts';
import { detectRepeatedPrompt } from './detectors/repeated-prompt.ts';
import { detectSensitive } from './detectors/sensitive.ts';
import { readUserTask } from './detectors/user-task.ts';
import { clean } from './normalize/clean.ts';
import type { Ruleset } from './ruleset.ts';
import type { Finding } from './types.ts';

/** Shorter than any key or number worth masking. */
const MIN_LENGTH = 6;
/** Shorter than any attack. */
const MIN_ATTACK_LENGTH = 8;

const ATTACK_DETECTORS: readonly Detector[] = [
  detectAttacks,
  detectHidden,
  detectDataOrders,
  detectLeaving,
  detectUnsafeCall,
  detectCarryingAddresses,
];

/**
 * Reads every slot and says what is in them. Pure; linear in the text; never throws.
 * `told`: for answers, what the model was told before; an answer should not say its instructions again.
 */
export function scan(
  slots: readonly TextSlot[],
  ruleset: Ruleset,
  direction: Direction,
  told: readonly TextSlot[] = [],
): Finding[] {
  const findings: Finding[] = [];
  const task = direction === 'input' && slots.length > 1 ? readUserTask(slots) : null;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index]!;
    if (slot.text.length < MIN_LENGTH && (ruleset.custom === null || slot.text === '')) continue;
    const view: SlotView = { index, slot, cleaned: clean(slot.text), direction, ruleset, task };
    detectCustom(view, findings);
    if (slot.text.length < MIN_LENGTH) continue;
    detectSensitive(view, findings);
    if (isDevelopers(slot) || slot.text.length < MIN_ATTACK_LENGTH) continue;
    for (const detect of ATTACK_DETECTORS) detect(view, findings);
  }
  if (direction === 'input') detectConversation(slots, findings);
  else detectRepeatedPrompt([...told, ...slots], slots, findings);
  return ruleset.asksForRoles
    ? findings.map((finding) => ({ ...finding, role: slots[finding.slot]!.role }))
    : findings;
}
