import type { Conversation } from '@csg/shared/text';
import type { Principal } from '../authenticate-key.ts';
import { type ConversationIdentity, conversationKeys } from './conversation-keys.ts';

/** The texts of a decision and the conversation they belong to. */
export interface TextsInConversation {
  readonly conversation: Conversation;
  readonly identity: ConversationIdentity;
  /** For responses: the conversation that they continue. */
  readonly follows?: Conversation | undefined;
}

/** Returns the key of the conversation before the message of a slot; computed at the first call. */
export function textPositions(
  { deviceId, projectId }: Pick<Principal, 'deviceId' | 'projectId'>,
  { conversation, identity: { sessionId, startsAfter }, follows }: TextsInConversation,
): (slot: number) => string {
  const owner = deviceId ?? projectId ?? '';
  const messageOf = messageOfSlots(conversation);
  let before: readonly string[] | undefined;
  const readKeys = (): readonly string[] => {
    const keys = conversationKeys(follows ?? conversation, owner, sessionId, startsAfter);
    return follows === undefined ? keys.beforeMessages : conversation.messages.map(() => keys.current);
  };
  return (slot) => {
    before ??= readKeys();
    return before[messageOf(slot)] ?? '';
  };
}

/** Returns a function from the index of a slot to the index of its message; -1 if it has none. */
export function messageOfSlots({ messages, slots }: Conversation): (slot: number) => number {
  let bySlot: Map<unknown, number> | undefined;
  return (slot) => {
    bySlot ??= new Map(messages.flatMap((message, at) => message.slots.map((one) => [one, at] as const)));
    return bySlot.get(slots[slot]) ?? -1;
  };
}
