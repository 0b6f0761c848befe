import { createHash } from 'node:crypto';
import type { Conversation, Message } from '@csg/shared/text';

export interface ConversationKeys {
  /** The conversation as it stands now. */
  readonly current: string;
  /** What the same conversation was called at this message and at earlier ones, the newest first. */
  readonly all: readonly string[];
  /** What it was called before each of its messages; what stands beside the messages goes by the first of them. */
  readonly beforeMessages: readonly string[];
}

/** What its client or provider calls a conversation, and the response that it continues; null: it has no such name. */
export interface ConversationIdentity {
  readonly sessionId: string | null;
  readonly startsAfter: string | null;
}

/** Earlier messages that a conversation is recognized by. */
const MAX_KEYS = 200;

/**
 * Names that recognize a conversation when it comes back, on every instance: by the id that the client or the provider
 * has for it, else by its messages, so that one that went on is the same, and one with another history is not.
 * `startsAfter`: the response that it continues, whose messages stand with the provider.
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
  // Before the first message every conversation is the same.
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

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
