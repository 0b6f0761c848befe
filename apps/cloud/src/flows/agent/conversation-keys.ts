import { createHash } from 'node:crypto';
import type { Conversation, Message } from '@csg/shared/text';

export interface ConversationKeys {
  /** The conversation as it stands now. */
  readonly current: string;
  /** What the same conversation was called at this message and at earlier ones, the newest first. */
  readonly all: readonly string[];
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
    return { current: key, all: [key] };
  }
  let key = digest('history', owner, startsAfter ?? '');
  const keys = [key];
  for (const message of messages) {
    if (message.position.index === null) continue;
    key = keyAfter(key, message);
    keys.push(key);
  }
  // Before the first message every conversation is the same.
  const all = keys.slice(1).toReversed().slice(0, MAX_KEYS);
  return { current: key, all: all.length === 0 ? [key] : all };
}

/**
 * What the conversation was called before each of its messages, by the same names as above; what stands beside the
 * messages goes by the first of them.
 */
export function keysBeforeMessages(
  { messages }: Pick<Conversation, 'messages'>,
  owner: string,
  sessionId: string | null,
  startsAfter: string | null = null,
): readonly string[] {
  if (sessionId !== null) return messages.map(() => digest('session', owner, sessionId));
  let key = digest('history', owner, startsAfter ?? '');
  let first: string | null = null;
  const keys = messages.map((message) => {
    if (message.position.index === null) return null;
    const before = key;
    key = keyAfter(key, message);
    first ??= key;
    return before;
  });
  return keys.map((before) => before ?? first ?? key);
}

function keyAfter(key: string, { role, slots }: Message): string {
  return digest(key, role, ...slots.map(({ text }) => text));
}

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
