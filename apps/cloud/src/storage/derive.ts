import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** HKDF-SHA-256: a key for one purpose alone, 32 bytes. */
export function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));
}

/** HMAC-SHA-256. */
export function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Equal without telling by its time where they differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
