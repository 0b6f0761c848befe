import type { Direction } from '../contract/index.ts';
import type { TextSlot } from '../text/index.ts';
import { detectCarryingAddresses } from './detectors/addresses.ts';
import { detectAttacks } from './detectors/attacks.ts';
import { detectUnsafeCall } from './detectors/calls.ts';
import { detectConversation } from './detectors/conversation.ts';
import { detectCustom } from './detectors/custom.ts';
import { detectDataOrders } from './detectors/data-orders.ts';
import type { Detector, SlotView } from './detectors/detector.ts';
import { detectHidden } from './detectors/hidden.ts';
import { detectLeaving } from './detectors/leaving.ts';
import { mayInstruct } from './detectors/machine-made.ts';
import { detectInPassages } from './detectors/passages.ts';
import { detectRepeatedPrompt } from './detectors/repeated-prompt.ts';
import { detectSensitive } from './detectors/sensitive.ts';
import { isDevelopers } from './detectors/slot-roles.ts';
import { detectToolPoisoning } from './detectors/tool-poisoning.ts';
import { createTaskReader, type UserTask } from './detectors/user-task.ts';
import { clean } from './normalize/clean.ts';
import { markedPassages } from './passages/marked-passages.ts';
import type { Ruleset } from './ruleset.ts';
import type { Finding } from './types.ts';
import { Workspace } from './workspace.ts';

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

/** In what the developer wrote an instruction alone is no attack. */
const DEVELOPER_DETECTORS: readonly Detector[] = [detectHidden, detectInPassages, detectToolPoisoning];

/** Of one scan: what its slots are known to hold. */
export interface SlotMemory {
  /** What the slot holds by itself; undefined where it has to be read. */
  recall(index: number): readonly Finding[] | undefined;
  /** Told what was found in a slot that had to be read. */
  keep(index: number, findings: readonly Finding[]): void;
}

export interface ScanOptions {
  /** For answers: what the developer told the model before; an answer should not say its instructions again. */
  readonly systemSlots?: readonly TextSlot[];
  /** What earlier scans found in the same slots. */
  readonly memory?: SlotMemory | undefined;
  /** Where texts are read. Whoever scans often hands over the same one each time. */
  readonly workspace?: Workspace;
}

/** Reads every slot and says what is in them. Pure; linear in the text; never throws. */
export function scan(
  slots: readonly TextSlot[],
  ruleset: Ruleset,
  direction: Direction,
  { systemSlots = [], memory, workspace = new Workspace() }: ScanOptions = {},
): Finding[] {
  const findings: Finding[] = [];
  const tasks = createTaskReader(slots, direction, workspace);
  for (let index = 0; index < slots.length; index++) {
    const found = memory?.recall(index);
    if (found !== undefined) {
      for (const finding of found) findings.push({ ...finding, slot: index });
      continue;
    }
    const before = findings.length;
    scanSlot(index, slots[index]!, ruleset, direction, tasks(index), workspace, findings);
    memory?.keep(index, findings.slice(before));
  }
  if (direction === 'input') detectConversation(slots, workspace, findings);
  else detectRepeatedPrompt([...systemSlots, ...slots], slots, workspace, findings);
  return ruleset.asksForRoles
    ? findings.map((finding) => ({ ...finding, role: slots[finding.slot]!.role }))
    : findings;
}

/** What one slot holds by itself: that depends on its text and role, on the ruleset, the direction and the user's task. */
function scanSlot(
  index: number,
  slot: TextSlot,
  ruleset: Ruleset,
  direction: Direction,
  task: UserTask | null,
  workspace: Workspace,
  findings: Finding[],
): void {
  if (slot.text.length < MIN_LENGTH && (ruleset.custom === null || slot.text === '')) return;
  const cleaned = clean(slot.text, workspace);
  workspace.withText(cleaned.text, (text) => {
    const passages = isDevelopers(slot) ? markedPassages(cleaned.text) : [];
    const base = 0;
    const penalty = 0;
    detect(
      { index, slot, cleaned, text, workspace, direction, ruleset, task, passages, base, penalty },
      findings,
    );
  });
}

function detect(view: SlotView, findings: Finding[]): void {
  const { slot } = view;
  detectCustom(view, findings);
  if (slot.text.length < MIN_LENGTH) return;
  detectSensitive(view, findings);
  if (slot.isNumber === true) return;
  if (slot.text.length < MIN_ATTACK_LENGTH || !mayInstruct(slot)) return;
  const detectors = isDevelopers(slot) ? DEVELOPER_DETECTORS : ATTACK_DETECTORS;
  for (const detector of detectors) detector(view, findings);
}
