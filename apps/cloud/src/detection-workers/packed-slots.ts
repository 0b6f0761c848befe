import { messagePathOf, pausing, SLOT_ROLES, type Steps, type TextSlot } from '@csg/shared/text';

/** Texts as sent to a thread: copying 80,000 objects would block the event loop. */
export interface PackedSlots {
  /** For each text: four times the index of its role, plus `IS_KEY` and `IS_NUMBER`. */
  readonly kinds: Uint8Array;
  /** For each text: the path of its message. */
  readonly messages: readonly string[];
  readonly texts: readonly string[];
}

const IS_KEY = 1;
const IS_NUMBER = 2;

/** Sends only the message part of a path: the rest is only for the record, and may be longer than the text. */
export function* packSlots(slots: readonly TextSlot[]): Steps<PackedSlots> {
  const kinds = new Uint8Array(slots.length);
  const messages: string[] = [];
  const texts: string[] = [];
  yield* pausing(slots, (slot) => {
    kinds[texts.length] = kindOf(slot);
    messages.push(messagePathOf(slot));
    texts.push(slot.text);
  });
  return { kinds, messages, texts };
}

export function unpackSlots({ kinds, messages, texts }: PackedSlots): TextSlot[] {
  return texts.map((text, index) => {
    const kind = kinds[index]!;
    return {
      path: messages[index]!,
      role: SLOT_ROLES[kind >> 2]!,
      text,
      isKey: (kind & IS_KEY) !== 0,
      isNumber: (kind & IS_NUMBER) !== 0,
    };
  });
}

function kindOf({ role, isKey, isNumber }: TextSlot): number {
  return (SLOT_ROLES.indexOf(role) << 2) | (isKey ? IS_KEY : 0) | (isNumber ? IS_NUMBER : 0);
}
