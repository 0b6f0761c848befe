import { messagePathOf, SLOT_ROLES, type TextSlot } from '@csg/shared/text';

/** Texts as they are handed to a thread: copying eighty thousand objects would take the event loop's time. */
export interface PackedSlots {
  /** Of each text: the index of its role, four times, with `IS_KEY` and `IS_NUMBER`. */
  readonly kinds: Uint8Array;
  /** Of each text: the path of its message. */
  readonly messages: readonly string[];
  readonly texts: readonly string[];
}

const IS_KEY = 1;
const IS_NUMBER = 2;

/** Of a path that is the message: the rest is for the record, and can be longer than the text. Parts stay here. */
export function packSlots(slots: readonly TextSlot[]): PackedSlots {
  return {
    kinds: Uint8Array.from(slots, kindOf),
    messages: slots.map(messagePathOf),
    texts: slots.map(({ text }) => text),
  };
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
