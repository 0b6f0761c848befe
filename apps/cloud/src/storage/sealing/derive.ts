import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** HKDF-SHA-256: derives a 32-byte key for a single purpose. */
export function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));
}

/** HMAC-SHA-256. */
export function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Compares in constant time. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
