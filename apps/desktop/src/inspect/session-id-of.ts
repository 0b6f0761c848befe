import type { Message } from '@csg/shared/text';

/**
 * A name for a conversation, the same when it comes back after a response was blocked: a digest of its messages up to
 * the last that the user did not write, and of the user's first in any case. What a person approved in one conversation
 * does not count in another.
 */
export async function sessionIdOf(messages: readonly Message[]): Promise<string> {
  const first = messages.findIndex(({ origin }) => origin === 'user');
  const last = messages.findLastIndex(({ origin }) => origin !== 'user');
  const known = messages.slice(0, Math.max(first, last) + 1);
  const parts = known.map(({ role, slots }) => [role, ...slots.map(({ text }) => text)]);
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return `device-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
