import type { DeviceReading, GuardMessage, GuardRequest } from '../contract/index.ts';
import {
  applyReplacementsInSteps,
  type Conversation,
  conversationOf,
  type Message,
  type Replacement,
  type Steps,
  type TextSlot,
} from '../text/index.ts';

/** What a text is beyond its place: facts about the whole body, which a device does not send. */
export type TextFacts = Pick<DeviceReading['texts'][number], 'is_code' | 'working' | 'carried'>;

/** Describes some texts of a body, so that `conversationFrom` returns the same slots in the same messages. */
export function deviceReadingOf(
  { slots, messages }: Conversation,
  indexes: readonly number[],
  factsOf: (index: number) => TextFacts,
): DeviceReading {
  const messageOf = new Map(messages.flatMap((message) => message.slots.map((slot) => [slot, message])));
  const used = new Map<Message, number>();
  const texts = indexes.map((index) => {
    const slot = slots[index]!;
    const message = messageOf.get(slot);
    if (message !== undefined && !used.has(message)) used.set(message, used.size);
    return {
      ...{ path: slot.path, role: slot.role },
      ...(message !== undefined && { message: used.get(message)! }),
      ...(slot.isKey === true && { is_name: true }),
      ...(slot.isNumber === true && { is_number: true }),
      ...factsOf(index),
    };
  });
  return {
    messages: [...used.keys()].map(({ role, origin, position: { path, index } }) => ({
      ...{ role, origin, path },
      ...(index !== null && { index }),
    })),
    texts,
  };
}

/** Returns the conversation that a device has read; null: the reading does not describe these messages. */
export function conversationFrom(
  { messages, texts }: DeviceReading,
  contents: GuardRequest['messages'],
): Conversation | null {
  if (texts.length !== contents.length) return null;
  const inside = messages.map((): TextSlot[] => []);
  const alone: TextSlot[] = [];
  const slots: TextSlot[] = [];
  for (const [i, { path, role, message, is_name, is_number }] of texts.entries()) {
    const text = contents[i]!.content;
    if (typeof text !== 'string') return null;
    const slot = { path, role, text, isKey: is_name === true, isNumber: is_number === true };
    slots.push(slot);
    (inside[message ?? -1] ?? alone).push(slot);
  }
  const read = messages.map(
    ({ role, origin, path, index = null }, at): Message => ({
      ...{ role, origin, position: { path, index } },
      slots: inside[at]!,
    }),
  );
  return { messages: alone.length === 0 ? read : [...read, ...conversationOf(alone).messages], slots };
}

/** Returns the messages of a device with the replacements (by slot index) in their texts. */
export function* writtenTexts(
  messages: readonly GuardMessage[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): Steps<{ role: string; content: string }[]> {
  const written: { role: string; content: string }[] = [];
  for (const { role, content } of messages) {
    const list = replacements.get(written.length) ?? [];
    written.push({ role, content: yield* applyReplacementsInSteps(String(content), list) });
  }
  return written;
}
