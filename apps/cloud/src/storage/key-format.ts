import { crc32 } from 'node:zlib';
import { KEY_PREFIX } from '@csg/shared/contract';
import { randomBase62, toBase62 } from './ids.ts';

const SHAPE = /^svc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
const IDENTIFYING = 8;

/** CRC-32 (ISO 3309, as in zlib) of everything before it, in 6 characters of base62. */
function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}

/** `svc_live_` + 8 identifying characters + `_` + 32 random ones (190 bits) + 6 of checksum. */
export function makeKey(): string {
  const body = `${KEY_PREFIX}${randomBase62(IDENTIFYING)}_${randomBase62(32)}`;
  return body + checksum(body);
}

export type ParsedKey =
  | { readonly kind: 'key'; readonly prefix: string }
  /** Has the prefix of a key, but a wrong length, character or checksum. */
  | { readonly kind: 'mistyped' }
  | { readonly kind: 'not_a_key' };

const MISTYPED: ParsedKey = { kind: 'mistyped' };
const NOT_A_KEY: ParsedKey = { kind: 'not_a_key' };

/** Distinguishes a key from a mistyped or foreign one without a lookup. */
export function parseKey(text: string): ParsedKey {
  if (!text.startsWith(KEY_PREFIX)) return NOT_A_KEY;
  if (!SHAPE.test(text)) return MISTYPED;
  if (checksum(text.slice(0, -6)) !== text.slice(-6)) return MISTYPED;
  return { kind: 'key', prefix: text.slice(0, KEY_PREFIX.length + IDENTIFYING) };
}
