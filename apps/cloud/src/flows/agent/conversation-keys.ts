import { hash } from 'node:crypto';
import type { Conversation, Message } from '@csg/shared/text';

export interface ConversationKeys {
  /** Key of the whole conversation. */
  readonly current: string;
  /** Keys of the conversation up to its latest message and up to earlier ones, newest first. */
  readonly all: readonly string[];
  /** Key of the conversation before each of its messages; content outside the messages takes the first of them. */
  readonly beforeMessages: readonly string[];
}

/** Id that the client or provider gives a conversation, and the response it continues; null if there is none. */
export interface ConversationIdentity {
  readonly sessionId: string | null;
  readonly startsAfter: string | null;
}

/** Maximum number of keys by which a conversation is recognized. */
const MAX_KEYS = 200;

/**
 * Returns keys that recognize a conversation when it continues, on every instance: by the id from the client or the
 * provider, else by its messages, so that a continued conversation matches and one with another history does not.
 * `startsAfter`: the response it continues, whose messages are stored by the provider.
 */
export function conversationKeys(
  { messages }: Pick<Conversation, 'messages'>,
  owner: string,
  sessionId: string | null,
  startsAfter: string | null = null,
): ConversationKeys {
  if (sessionId !== null) {
    const key = digest('session', owner, sessionId);
    return { current: key, all: [key], beforeMessages: messages.map(() => key) };
  }
  let current = digest('history', owner, startsAfter ?? '');
  const before = messages.map((message) => {
    if (message.position.index === null) return null;
    const key = current;
    current = keyAfter(current, message);
    return key;
  });
  // Before the first message all conversations have the same key.
  const [start, ...later] = before.filter((key) => key !== null);
  const keys = start === undefined ? [current] : [...later, current];
  return {
    current,
    all: keys.toReversed().slice(0, MAX_KEYS),
    beforeMessages: before.map((key) => key ?? keys[0]!),
  };
}

function keyAfter(key: string, { role, slots }: Message): string {
  return digest(key, role, ...slots.map(({ text }) => text));
}

/** In one call: a hash object for each of 20,000 messages would take twice as long. */
function digest(...parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'base64url');
}
