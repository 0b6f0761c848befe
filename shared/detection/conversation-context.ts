import type { TextSlot } from '../text/index.ts';
import { isData } from './detectors/detector.ts';

/** So many texts of a conversation are looked at together. */
const MAX_TEXTS = 24;
/** Longer ones end a group of pieces (split orders), or take no part (made-up histories). */
const MAX_DATA = 400;
const MAX_ANSWER = 2_000;
const MAX_USER = 8_000;

/**
 * Some detectors look at several texts together: orders cut in pieces, a rise towards an attack, a made-up history, and
 * data that is read for the user's task. For a scan of the new texts of a conversation alone, these are the earlier
 * texts that belong beside them, the most important first. Indexes into `slots`.
 */
export function conversationContext(
  slots: readonly TextSlot[],
  isNew: (index: number) => boolean,
): readonly number[] {
  const context = new Set<number>();
  const task = slots.findLastIndex(({ role }) => role === 'user');
  if (slots.some((slot, index) => isNew(index) && isData(slot))) context.add(task);
  let seen = 0;
  let isUserGroup = true;
  let isDataGroup = true;
  for (let index = slots.length - 1; index >= 0 && seen < MAX_TEXTS; index--) {
    const slot = slots[index]!;
    const { length } = slot.text;
    if (slot.role === 'user') {
      isUserGroup &&= length <= MAX_USER;
      if (isUserGroup) context.add(index);
    } else if (isData(slot)) {
      isDataGroup &&= length <= MAX_DATA;
      if (isDataGroup) context.add(index);
    } else if (slot.role === 'assistant') {
      if (length <= MAX_ANSWER) context.add(index);
    } else continue;
    seen++;
  }
  return [...context].filter((index) => index !== -1 && !isNew(index));
}
