import type { TextSlot } from '../text/index.ts';
import { guardingIndexes } from './detectors/guarded-questions.ts';
import { historyContext } from './detectors/many-shots.ts';
import { isData } from './detectors/slot-roles.ts';
import { taskIndexes } from './detectors/user-task.ts';
import { Workspace } from './workspace.ts';

/** The number of texts that detectConversation examines together. */
const MAX_SLOTS = 24;
/** A longer text of data ends a group of pieces. */
const MAX_DATA = 400;
/** The most pieces of one instruction that are read together, the last included. */
const MAX_PIECES = 4;
/** A longer text of a user is unlikely to be a step of an escalation. */
const MAX_USER = 8_000;

/**
 * Returns the indexes of the earlier texts that a scan of only the new texts of a conversation also needs, the most
 * important first. Some detectors examine several texts together: instructions split into pieces, an escalation towards
 * an attack, an invented history, questions about what a system prompt guards, and data that is read for the user's
 * task. `slots` are those of the whole conversation. `guarding`: the result of `guardingIndexes`, if the caller already
 * has it.
 */
export function conversationContext(
  slots: readonly TextSlot[],
  isNew: (index: number) => boolean,
  guarding: readonly number[] = guardingIndexes(slots),
): readonly number[] {
  const context = new Set<number>();
  const tasks = taskIndexes(slots, 'input');
  for (let index = slots.length - 1; index >= 0; index--) if (isNew(index)) context.add(tasks[index]!);
  for (const [index, pieces] of piecesBefore(slots).entries()) if (isNew(index)) addAll(pieces, context);
  addAll(guarding, context);
  addUsers(slots, context);
  addAll(
    historyContext(slots, (index) => isNew(index) || context.has(index), new Workspace()),
    context,
  );
  return [...context].filter((index) => index >= 0 && !isNew(index));
}

/**
 * Returns for each text of data the short ones before it, with which it may complete an instruction, the nearest first;
 * for all others an empty list. Later texts do not change the result.
 */
export function piecesBefore(slots: readonly TextSlot[]): readonly (readonly number[])[] {
  let pieces: readonly number[] = [];
  return slots.map((slot, index) => {
    if (!isData(slot) || slot.isNumber === true) return [];
    const before = pieces;
    if (slot.text.length > MAX_DATA) pieces = [];
    else pieces = [index, ...pieces.slice(0, MAX_PIECES - 2)];
    return slot.text.length > MAX_DATA ? [] : before;
  });
}

function addAll(indexes: readonly number[], context: Set<number>): void {
  for (const index of indexes) context.add(index);
}

/** Adds the last texts of users, the last first. */
function addUsers(slots: readonly TextSlot[], context: Set<number>): void {
  for (let index = slots.length - 1; index >= Math.max(0, slots.length - MAX_SLOTS); index--) {
    const { role, text } = slots[index]!;
    if (role === 'user' && text.length <= MAX_USER) context.add(index);
  }
}
