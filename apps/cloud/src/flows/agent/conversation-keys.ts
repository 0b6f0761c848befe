import { createHash } from 'node:crypto';
import type { Conversation } from '@csg/shared/text';

export interface ConversationKeys {
  /** The conversation as it stands now. */
  readonly current: string;
  /** What the same conversation was called at this message and at earlier ones, the newest first. */
  readonly all: readonly string[];
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
  for (const { role, position, slots } of messages) {
    if (position.index === null) continue;
    key = digest(key, role, ...slots.map(({ text }) => text));
    keys.push(key);
  }
  // Before the first message every conversation is the same.
  const all = keys.slice(1).toReversed().slice(0, MAX_KEYS);
  return { current: key, all: all.length === 0 ? [key] : all };
}

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
