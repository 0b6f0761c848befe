import { randomBytes } from 'node:crypto';
import type { EndpointPrefix } from '@csg/shared/contract';

import type { RequestPrefix } from './model/requests.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type IdPrefix =
  | EndpointPrefix
  | RequestPrefix
  | 'req'
  | 'usr'
  | 'org'
  | 'proj'
  | 'key'
  | 'dev'
  | 'evt'
  | 'pol'
  | 'enr'
  | 'job'
  | 'whd'
  | 'ckf'
  | 'ses'
  | 'inv'
  | 'mail'
  | 'dirt'
  | 'dgrp'
  | 'run'
  | 'flt'
  | 'ala'
  | 'adm'
  | 'alt'
  | 'ver';

let pool = Buffer.alloc(0);
let used = 0;

/** Returns `length` random characters of base62, without bias: bytes of 248 and above are discarded. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    if (used >= pool.length) {
      pool = randomBytes(8192);
      used = 0;
    }
    const byte = pool[used]!;
    pool[used++] = 0;
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

/** Non-negative integer in base62, left-padded with zeros. */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  while (rest > 0) {
    text = ALPHABET[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text.padStart(width, '0');
}

/** `org_` + 16 characters: 95 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(16)}`;
}

/** `evt_` + 8 characters of time + 12 random ones (71 bits): ids of later milliseconds sort after earlier ones. */
export function newEventId(nowMs: number): string {
  return `evt_${toBase62(nowMs, 8)}${randomBase62(12)}`;
}
