import { canonicalJson } from '@csg/shared/text';
import type { AuditEntry } from '../model/audit.ts';
import type { Vault } from '../sealing/vault.ts';
import { StorageError } from '../storage-error.ts';
import { toStorableText } from '../stored-values.ts';
import { GENESIS_HASH, rowHash } from './canonical.ts';

/** An entry ready to be chained: made storable, serialized, with its time. */
export interface PreparedEntry {
  readonly organizationId: string;
  readonly atMs: number;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: string;
}

export interface ChainedRow extends PreparedEntry {
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** The end of a chain. `isGenuine` is false if the seal does not match, so another program wrote the head. */
export interface Head {
  readonly organizationId: string;
  readonly seq: number;
  readonly hash: string;
  readonly isGenuine: boolean;
}

/** Kind of the row that records permanently that this service did not write the head before it. */
export const BREAK_KIND = 'audit_break_found';

export function prepareEntry(entry: AuditEntry, nowMs: number): PreparedEntry {
  return {
    organizationId: entry.organizationId,
    atMs: Math.trunc(entry.atMs ?? nowMs),
    kind: toStorableText(entry.kind),
    actor: toStorableText(entry.actor),
    subject: toStorableText(entry.subject),
    data: canonicalJson(entry.data),
  };
}

/** Throws `wrong_master_key` if another instance sealed the head with a key that is missing here: this is no break. */
export function readHead(
  vault: Vault,
  row: {
    readonly organization_id: string;
    readonly seq: number;
    readonly hash: Buffer;
    readonly seal: Buffer;
  },
): Head {
  const hash = row.hash.toString('hex');
  const check = vault.checkHeadSeal(row.seal, row.organization_id, row.seq, hash);
  if (check === 'unknown_key') {
    throw new StorageError(
      'wrong_master_key',
      'The head of the audit chain is authenticated with a master key that this process was not given. Set the new key as GATEWAY_MASTER_KEY_PREVIOUS on every instance before one of them uses it.',
    );
  }
  return {
    organizationId: row.organization_id,
    seq: row.seq,
    hash,
    isGenuine: check === 'genuine',
  };
}

export interface LastRow {
  readonly seq: number;
  readonly hash: Buffer;
}

/** Returns the head of a chain without a head row: a new chain or, if there are rows, one whose head was removed. */
export function headFromLastRow(organizationId: string, last: LastRow | undefined): Head {
  return last === undefined
    ? { organizationId, seq: 0, hash: GENESIS_HASH, isGenuine: true }
    : { organizationId, seq: last.seq, hash: last.hash.toString('hex'), isGenuine: false };
}

/** Compares a head with the last row. If they differ, the chain continues from the row and is marked as broken. */
export function compareHead(head: Head, last: LastRow | undefined): Head {
  if (last === undefined) return head.seq === 0 ? head : { ...head, isGenuine: false };
  const hash = last.hash.toString('hex');
  if (head.isGenuine && head.seq === last.seq && head.hash === hash) return head;
  return { organizationId: head.organizationId, seq: last.seq, hash, isGenuine: false };
}

/** Returns the rows that follow a head. A false head is followed by a row that reports it: new rows never hide it. */
export function chainRows(head: Head, entries: readonly PreparedEntry[]): readonly ChainedRow[] {
  const rows: ChainedRow[] = [];
  let { seq, hash } = head;
  const add = (entry: PreparedEntry): void => {
    seq += 1;
    const fields = {
      organizationId: entry.organizationId,
      seq,
      atMs: entry.atMs,
      kind: entry.kind,
      actor: entry.actor,
      subject: entry.subject,
      data: entry.data,
      prevHash: hash,
    };
    hash = rowHash(fields);
    rows.push({ ...fields, hash });
  };
  if (!head.isGenuine && entries[0] !== undefined) {
    add({
      organizationId: head.organizationId,
      atMs: entries[0].atMs,
      kind: BREAK_KIND,
      actor: 'system',
      subject: head.organizationId,
      data: canonicalJson({ seq: head.seq, hash: head.hash }),
    });
  }
  for (const entry of entries) add(entry);
  return rows;
}
