import type { SlotRole, TextSlot } from './text-slot.ts';

/** The author of a text: the developer, a person, the model, or untrusted data that the model is only meant to read. */
export const ORIGINS = ['developer', 'user', 'model', 'untrusted'] as const;
export type Origin = (typeof ORIGINS)[number];

/** One message of a conversation, or another part of the body, such as a system prompt or the definition of a tool. */
export interface Message {
  /** The role in the body (`user`, `tool`, `function_call_output`); outside of the conversation the member's name. */
  readonly role: string;
  /**
   * The author of the message. A text in it may be less trusted, such as a document that a person attached: `originOf`.
   */
  readonly origin: Origin;
  readonly position: {
    /** JSON pointer of the message. */
    readonly path: string;
    /** Index in the conversation, from 0; null outside of it. */
    readonly index: number | null;
  };
  readonly slots: readonly TextSlot[];
}

/** The texts of a request or a response, in the order of the body. Every slot belongs to one message. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** The slots of all messages; findings refer to them by index. */
  readonly slots: readonly TextSlot[];
}

const ORIGIN_OF: Readonly<Record<SlotRole, Origin>> = {
  system: 'developer',
  tool_definition: 'developer',
  credential: 'developer',
  user: 'user',
  assistant: 'model',
  tool_call: 'model',
  tool_result: 'untrusted',
  document: 'untrusted',
  // Not more trusted than a user's text, but not written by another party either.
  identifier: 'user',
  metadata: 'user',
  other: 'user',
};

export function originOf(role: SlotRole): Origin {
  return ORIGIN_OF[role];
}

/** Wraps texts that are not a conversation in one message with the role of the first text. */
export function conversationOf(slots: readonly TextSlot[], role?: SlotRole): Conversation {
  const speaker = role ?? slots[0]?.role ?? 'user';
  const message = { role: speaker, origin: originOf(speaker), position: { path: '', index: null }, slots };
  return { messages: [message], slots };
}

/** Adds texts to a conversation: each to the message that contains it, or to a separate one. */
export function withSlots(conversation: Conversation, added: readonly TextSlot[]): Conversation {
  if (added.length === 0) return conversation;
  const byMessage = new Map<Message, TextSlot[]>();
  const alone: TextSlot[] = [];
  const messageOf = lastMessageAround(conversation.messages);
  for (const slot of added) {
    const message = messageOf(slot.path);
    const list = message === undefined ? alone : (byMessage.get(message) ?? []);
    list.push(slot);
    if (message !== undefined) byMessage.set(message, list);
  }
  const messages = conversation.messages.map((message) => {
    const more = byMessage.get(message);
    return more === undefined ? message : { ...message, slots: [...message.slots, ...more] };
  });
  return {
    messages: alone.length === 0 ? messages : [...messages, ...conversationOf(alone).messages],
    slots: [...conversation.slots, ...added],
  };
}

/** Returns the last message that contains a path: many texts of files may belong to many messages. */
function lastMessageAround(messages: readonly Message[]): (path: string) => Message | undefined {
  const indexes = new Map(messages.map(({ position: { path } }, index) => [path, index]));
  return (path) => {
    let last = indexes.get(path) ?? -1;
    for (let at = 0; at < path.length; at++)
      if (path[at] === '/' || path[at] === '~') last = Math.max(last, indexes.get(path.slice(0, at)) ?? -1);
    return messages[last];
  };
}
