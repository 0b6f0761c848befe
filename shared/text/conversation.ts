import type { SlotRole, TextSlot } from './text-slot.ts';

/** Whose words a text is: the developer's, a person's, the model's, or data that it is only meant to read. */
export type Origin = 'developer' | 'user' | 'model' | 'untrusted';

/** One message of a conversation, or a part of the body beside it, such as a system prompt or a tool's definition. */
export interface Message {
  /** As the body says it (`user`, `tool`, `function_call_output`); beside the conversation the member's name. */
  readonly role: string;
  /** The speaker's. A text in it may be of less trust, such as a document that a person attached: `originOf`. */
  readonly origin: Origin;
  readonly position: {
    /** JSON pointer of the message. */
    readonly path: string;
    /** In the conversation, from 0; null beside it. */
    readonly index: number | null;
  };
  readonly slots: readonly TextSlot[];
}

/** What a request or a response says, in the order of the body. Every slot belongs to one message. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** Those of all messages; findings name them by their index. */
  readonly slots: readonly TextSlot[];
}

const ORIGINS: Readonly<Record<SlotRole, Origin>> = {
  system: 'developer',
  tool_definition: 'developer',
  credential: 'developer',
  user: 'user',
  assistant: 'model',
  tool_call: 'model',
  tool_result: 'untrusted',
  document: 'untrusted',
  // Not trusted more than a user's text, and not written by another party either.
  identifier: 'user',
  metadata: 'user',
  other: 'user',
};

export function originOf(role: SlotRole): Origin {
  return ORIGINS[role];
}

/** Texts that are no conversation: one message by the role of the first. */
export function conversationOf(slots: readonly TextSlot[], role?: SlotRole): Conversation {
  const speaker = role ?? slots[0]?.role ?? 'user';
  const message = { role: speaker, origin: originOf(speaker), position: { path: '', index: null }, slots };
  return { messages: [message], slots };
}

/** The conversation with further texts: each in the message that it lies in, or in one of its own. */
export function withSlots(conversation: Conversation, added: readonly TextSlot[]): Conversation {
  if (added.length === 0) return conversation;
  const byMessage = new Map<Message, TextSlot[]>();
  const alone: TextSlot[] = [];
  for (const slot of added) {
    const message = conversation.messages.findLast(({ position: { path } }) => isIn(slot.path, path));
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

function isIn(path: string, message: string): boolean {
  return path.startsWith(message) && (path.length === message.length || /[/~]/.test(path[message.length]!));
}
