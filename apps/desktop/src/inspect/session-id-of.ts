import type { Message } from '@csg/shared/text';

/**
 * Identifies a conversation, also when it is repeated after a blocked response: a digest of its messages up to the last
 * that the user did not write, and at least the user's first. An approval in one conversation does not apply to
 * another.
 */
export async function sessionIdOf(messages: readonly Message[]): Promise<string> {
  // The name of the model is a message of its own, and says nothing of the conversation.
  const first = messages.findIndex(
    ({ origin, slots }) => origin === 'user' && slots.some(({ role }) => role !== 'identifier'),
  );
  const last = messages.findLastIndex(({ origin }) => origin !== 'user');
  const known = messages.slice(0, Math.max(first, last) + 1);
  const parts = known.map(({ role, slots }) => [role, ...slots.map(({ text }) => text)]);
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return `device-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
