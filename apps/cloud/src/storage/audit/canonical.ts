import { hash } from 'node:crypto';
import type { Json } from '../model/audit.ts';

/**
 * The bytes behind every hash and signature of the record: a line that names the format, then each field as
 * `<length in bytes of its UTF-8>:<its UTF-8>` and a newline. No separator can be shifted from one field to the
 * next, and nothing is normalised: other bytes, other hash.
 */
export function canonicalBytes(format: string, fields: readonly (string | number)[]): string {
  let text = `${format}\n`;
  for (const field of fields) {
    const value = String(field);
    text += `${Buffer.byteLength(value)}:${value}\n`;
  }
  return text;
}

export const ROW_FORMAT = 'csg-audit-row-v1';
export const CHECKPOINT_FORMAT = 'csg-audit-checkpoint-v1';

/** What the first row of a chain names as the one before it. */
export const GENESIS_HASH = '0'.repeat(64);

export interface HashedFields {
  readonly organizationId: string;
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  /** Canonical JSON text. */
  readonly data: string;
  readonly prevHash: string;
}

/** SHA-256 of a row's canonical bytes, in lower-case hex. The order of the fields is part of the format. */
export function rowHash(row: HashedFields): string {
  return hash(
    'sha256',
    canonicalBytes(ROW_FORMAT, [
      row.organizationId,
      row.seq,
      row.atMs,
      row.kind,
      row.actor,
      row.subject,
      row.data,
      row.prevHash,
    ]),
  );
}

/** JSON with the names of every object sorted by UTF-16 code unit and no spaces (RFC 8785). */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as { readonly [name: string]: Json };
  let text = '{';
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}
