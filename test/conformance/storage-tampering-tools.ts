/** Knowledge and actions of an attacker of an audit chain. */
import { sign } from 'node:crypto';
import {
  CHECKPOINT_FORMAT,
  canonicalBytes,
  GENESIS_HASH,
  rowHash,
} from '../../apps/cloud/src/storage/audit/canonical.ts';
import { createSealer } from '../../apps/cloud/src/storage/sealing/sealer.ts';
import { createVault } from '../../apps/cloud/src/storage/sealing/vault.ts';
import type { AuditTables, RawCheckpoint, RawRow } from './storage-audit-tables.ts';

export const A = 'org_aaaa';
export const B = 'org_bbbb';

/** Recomputes hashes and links from a row on, as an attacker who knows the format would. */
export function rehash(rows: RawRow[], from: number): void {
  for (let index = from; index < rows.length; index++) {
    const row = rows[index]!;
    row.prev_hash = rows[index - 1]?.hash ?? GENESIS_HASH;
    row.hash = rowHash({
      organizationId: row.organization_id,
      seq: row.seq,
      atMs: row.at_ms,
      kind: row.kind,
      actor: row.actor,
      subject: row.subject,
      data: row.data,
      prevHash: row.prev_hash,
    });
  }
}

export function signAs(seed: Buffer, checkpoint: RawCheckpoint): void {
  const vault = createVault(createSealer({ current: seed, previous: [] }), {
    lookup: seed,
    auditCheckpoint: seed,
    deviceConfig: seed,
  });
  checkpoint.key_id = vault.signingKeyId;
  const fields = ['organization_id', 'number', 'seq', 'hash', 'at_ms', 'file_id', 'key_id'] as const;
  const bytes = Buffer.from(
    canonicalBytes(
      CHECKPOINT_FORMAT,
      fields.map((name) => checkpoint[name]),
    ),
  );
  checkpoint.signature = sign(null, bytes, vault.signingKey).toString('base64');
}

export const toLine = (c: RawCheckpoint): string =>
  JSON.stringify({ type: 'checkpoint', format: CHECKPOINT_FORMAT, algorithm: 'Ed25519', ...c });

export interface Tampering {
  readonly name: string;
  /** Changes rows of organization A in place, or returns others; may use the whole tables. */
  readonly act: (rows: RawRow[], tables: AuditTables, file: { text: string }) => RawRow[] | undefined;
  readonly seq?: number;
  readonly reason?: string;
}

export const without = (rows: RawRow[], ...seqs: number[]): RawRow[] =>
  rows.filter((row) => !seqs.includes(row.seq));
export const at = (rows: RawRow[], seq: number): RawRow => rows.find((row) => row.seq === seq)!;
export const swap = (rows: RawRow[], a: number, b: number): undefined => {
  const [first, second] = [at(rows, a), at(rows, b)];
  [first.seq, second.seq] = [second.seq, first.seq];
};
export const head = (tables: AuditTables) => tables.heads.find((one) => one.organization_id === A)!;
export const ofA = (tables: AuditTables) => tables.checkpoints.filter((one) => one.organization_id === A);
export const fileLines = (file: { text: string }) => file.text.trimEnd().split('\n');
export const isOfA = (line: string) => line.includes(`"${A}"`);
