import { VALUE } from '../operating-points/values.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { secretSpan } from './secret-span.ts';

/** The beginning of a private key. */
export const BEGIN = '-----BEGIN ';
export const MAX_PRIVATE_KEY = 16_384;

export function privateKeyAt(text: string, at: number): PiiSpan | undefined {
  if (!text.startsWith(BEGIN, at)) return undefined;
  // Limited to the maximum length of a key, so that many beginnings without an end stay cheap.
  const key = text.slice(at, at + MAX_PRIVATE_KEY);
  const head = key.indexOf('-----', BEGIN.length);
  if (head < 0 || head > 80 || !key.slice(0, head).includes('PRIVATE KEY')) return undefined;
  const next = key.indexOf(BEGIN, head);
  const tail = (next < 0 ? key : key.slice(0, next)).indexOf('-----END ', head);
  const close = tail < 0 ? -1 : key.indexOf('-----', tail + 9);
  const end = at + (close < 0 ? head + 5 : close + 5);
  return secretSpan(at, end, 'private-key', VALUE.privateKey);
}
