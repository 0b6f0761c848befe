import type { IncomingHttpHeaders } from 'node:http';
import type { Conversation } from '@csg/shared/text';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from './authenticate-key.ts';

/** Headers in which coding agents name a session. */
const SESSION_HEADERS = ['x-claude-code-session-id', 'session-id', 'session_id', 'x-session-id'] as const;
/** Enough to tell conversations apart, and so little that it takes no time. */
const MAX_CHARACTERS = 4_000;

/** What recognizes a model request whose client does not name its session. */
export interface RecognizedBy {
  readonly headers: IncomingHttpHeaders;
  readonly conversation: Pick<Conversation, 'messages'>;
  /** The provider's id of the conversation; null if it has none. */
  readonly conversationId: string | null;
  /** The session of the response that the request continues, if it was evaluated here. */
  readonly continued: string | undefined;
}

/**
 * Returns the caller with the session of a request, if the client named none: `run_` and a keyed digest of the
 * conversation's id, or of how it begins, which each of its requests repeats.
 */
export function inSession(
  { conversationNotes }: Pick<Storage, 'conversationNotes'>,
  principal: Principal,
  { headers, conversation, conversationId, continued }: RecognizedBy,
): Principal {
  const { session = null, tags = [] } = principal.labels ?? {};
  if (session !== null) return principal;
  const id = conversationId ?? SESSION_HEADERS.map((name) => headers[name]).find((one) => one !== undefined);
  const parts = typeof id === 'string' ? ['id', id] : ['beginning', ...beginningOf(conversation)];
  const digest = (): string => conversationNotes.keyOf(principal, 'run', [principal.actor, ...parts]);
  const recognized = continued ?? digest().replace(':', '_');
  return { ...principal, labels: { session: recognized, isNamed: false, tags } };
}

/** The texts up to those of the first message of a user, as far as they are read. */
function beginningOf({ messages }: Pick<Conversation, 'messages'>): string[] {
  const beginning: string[] = [];
  let left = MAX_CHARACTERS;
  for (const { role, slots } of messages) {
    for (const { text } of slots) {
      beginning.push(role, text.slice(0, left));
      left -= role.length + text.length;
      if (left <= 0) return beginning;
    }
    if (role === 'user') return beginning;
  }
  return beginning;
}
