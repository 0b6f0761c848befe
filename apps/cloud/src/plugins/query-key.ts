import type { IncomingMessage } from 'node:http';

/** Gemini's URLs, for which clients may send their key as `?key=`. */
const ADDRESS = /^\/api\/(?:v1beta|v1(?:\/proxy)?)\/models(?:[/?]|$)/;
const HEADER = 'x-goog-api-key';

/**
 * Moves a key from the query into that provider's header, because queries can end up in traces and in logs of others.
 * A key in the header takes precedence.
 */
export function moveQueryKey(target: string, { headers }: Pick<IncomingMessage, 'headers'>): string {
  const at = target.indexOf('?');
  if (at === -1 || !ADDRESS.test(target) || !/[?&]key=/.test(target)) return target;
  const pairs = target.slice(at + 1).split('&');
  const key = new URLSearchParams(target.slice(at)).get('key');
  if (key) headers[HEADER] ??= key;
  const rest = pairs.filter((pair) => !pair.startsWith('key='));
  return rest.length === 0 ? target.slice(0, at) : `${target.slice(0, at)}?${rest.join('&')}`;
}
