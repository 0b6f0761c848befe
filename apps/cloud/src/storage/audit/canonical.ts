import { hash } from 'node:crypto';

/**
 * Returns the bytes behind every hash and signature of the record: a line that names the format, then each field as
 * `<length in bytes of its UTF-8>:<its UTF-8>` and a newline. No delimiter can be moved from one field to the next.
 * Nothing is normalized: other bytes have another hash.
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

/** The previous hash of the first row of a chain. */
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
