import { sign } from 'node:crypto';
import {
  CHECKPOINT_FORMAT,
  canonicalBytes,
  GENESIS_HASH,
  rowHash,
} from '../../apps/cloud/src/storage/audit/canonical.ts';
import { createVault } from '../../apps/cloud/src/storage/vault.ts';
import type { AuditTables, RawCheckpoint, RawRow } from './storage-audit-tables.ts';
import { NOON } from './storage-engines.ts';

export const A = 'org_aaaa';
export const B = 'org_bbbb';

/** Recomputes hashes and links from a row on, as somebody would who knows the format. */
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

function signAs(masterKey: Buffer, checkpoint: RawCheckpoint): void {
  const vault = createVault(masterKey);
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

const toLine = (c: RawCheckpoint): string =>
  JSON.stringify({ type: 'checkpoint', format: CHECKPOINT_FORMAT, algorithm: 'Ed25519', ...c });

interface Tampering {
  readonly name: string;
  /** Changes rows of organization A in place, or returns others; the tables as a whole where it needs them. */
  readonly act: (rows: RawRow[], tables: AuditTables, file: { text: string }) => RawRow[] | undefined;
  readonly seq?: number;
  readonly reason?: string;
}

const without = (rows: RawRow[], ...seqs: number[]): RawRow[] =>
  rows.filter((row) => !seqs.includes(row.seq));
export const at = (rows: RawRow[], seq: number): RawRow => rows.find((row) => row.seq === seq)!;
const swap = (rows: RawRow[], a: number, b: number): undefined => {
  const [first, second] = [at(rows, a), at(rows, b)];
  [first.seq, second.seq] = [second.seq, first.seq];
};
export const head = (tables: AuditTables) => tables.heads.find((one) => one.organization_id === A)!;
const ofA = (tables: AuditTables) => tables.checkpoints.filter((one) => one.organization_id === A);
const fileLines = (file: { text: string }) => file.text.trimEnd().split('\n');
const isOfA = (line: string) => line.includes(`"${A}"`);

// Rows 1 to 40 are covered by checkpoints 1 (row 20) and 2 (row 40); rows 41 to 60 by the sealed head alone.
export const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'one bit of the data',
    act: (r) => {
      at(r, 7).data = at(r, 7).data.replace('allow', 'allou');
      return undefined;
    },
    seq: 7,
    reason: 'row_changed',
  },
  {
    name: 'the data, hash left',
    act: (r) => {
      at(r, 7).data = '{}';
      return undefined;
    },
    seq: 7,
    reason: 'row_changed',
  },
  {
    name: 'the data, own hash recomputed',
    act: (r) => {
      at(r, 7).data = '{}';
      const tail = r.slice(7).map((x) => ({ ...x }));
      rehash(r, 6);
      r.splice(7, r.length, ...tail);
      return r;
    },
    seq: 8,
    reason: 'link_broken',
  },
  {
    name: 'the data, suffix recomputed',
    act: (r) => {
      at(r, 7).data = '{}';
      rehash(r, 6);
      return undefined;
    },
    seq: 20,
    reason: 'checkpoint_mismatch',
  },
  {
    name: 'the data in the unanchored tail, suffix and head recomputed',
    act: (r, t) => {
      at(r, 50).data = '{}';
      rehash(r, 49);
      head(t).hash = r.at(-1)!.hash;
      return undefined;
    },
    seq: 60,
    reason: 'head_changed',
  },
  {
    name: 'the time',
    act: (r) => {
      at(r, 3).at_ms += 1;
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'the actor',
    act: (r) => {
      at(r, 3).actor = 'usr_other';
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'the subject',
    act: (r) => {
      at(r, 3).subject = 'evt_other';
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'the kind',
    act: (r) => {
      at(r, 3).kind = 'policy_block';
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'the tenant, so that the row is gone',
    act: (r) => {
      at(r, 3).organization_id = 'org_cccc';
      return undefined;
    },
    seq: 3,
    reason: 'row_missing',
  },
  {
    name: 'the hash',
    act: (r) => {
      at(r, 3).hash = 'ab'.repeat(32);
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'the link',
    act: (r) => {
      at(r, 3).prev_hash = 'ab'.repeat(32);
      return undefined;
    },
    seq: 3,
    reason: 'link_broken',
  },
  {
    name: 'a hash cut short',
    act: (r) => {
      at(r, 3).hash = at(r, 3).hash.slice(0, 32);
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  { name: 'the first row deleted', act: (r) => without(r, 1), seq: 1, reason: 'row_missing' },
  {
    name: 'the first rows deleted and the rest renumbered',
    act: (r) => {
      const rest = without(r, 1, 2);
      for (const row of rest) row.seq -= 2;
      return rest;
    },
    seq: 1,
    reason: 'link_broken',
  },
  { name: 'a row in the middle deleted', act: (r) => without(r, 30), seq: 30, reason: 'row_missing' },
  {
    name: 'a row deleted and the suffix renumbered and recomputed',
    act: (r) => {
      const rest = without(r, 45);
      for (const row of rest) if (row.seq > 45) row.seq -= 1;
      rehash(rest, 44);
      return rest;
    },
    seq: 60,
    reason: 'tail_missing',
  },
  { name: 'a range deleted', act: (r) => without(r, 10, 11, 12, 13), seq: 10, reason: 'row_missing' },
  { name: 'the last row deleted', act: (r) => without(r, 60), seq: 60, reason: 'tail_missing' },
  {
    name: 'the tail deleted and the head set back without its seal',
    act: (r, t) => {
      head(t).seq = 50;
      head(t).hash = at(r, 50).hash;
      return r.filter((row) => row.seq <= 50);
    },
    seq: 50,
    reason: 'head_changed',
  },
  { name: 'all rows deleted', act: () => [], seq: 1, reason: 'tail_missing' },
  {
    name: 'the whole chain deleted from the database',
    act: (_r, t) => {
      t.heads.splice(t.heads.indexOf(head(t)), 1);
      for (const c of ofA(t)) t.checkpoints.splice(t.checkpoints.indexOf(c), 1);
      return [];
    },
    seq: 1,
    reason: 'tail_missing',
  },
  { name: 'two neighbours swapped', act: (r) => swap(r, 12, 13), seq: 12 },
  { name: 'two far rows swapped', act: (r) => swap(r, 5, 55), seq: 5 },
  {
    name: 'two rows swapped and the suffix recomputed',
    act: (r) => {
      swap(r, 12, 13);
      r.sort((a, b) => a.seq - b.seq);
      rehash(r, 11);
      return r;
    },
    seq: 20,
    reason: 'checkpoint_mismatch',
  },
  {
    name: 'a range rotated',
    act: (r) => {
      const seqs = [20, 21, 22, 23];
      const moved = seqs.map((s) => at(r, s));
      for (const [i, row] of moved.entries()) row.seq = seqs[(i + 1) % 4]!;
      return undefined;
    },
    seq: 20,
  },
  {
    name: 'a row doubled under its number',
    act: (r) => [...r, { ...at(r, 9) }],
    seq: 9,
    reason: 'row_unexpected',
  },
  {
    name: 'a row doubled at the border of a page',
    act: (r) => [...r, { ...at(r, 60) }],
    seq: 60,
    reason: 'row_unexpected',
  },
  {
    name: 'an old row replayed at the tail',
    act: (r) => [...r, { ...at(r, 9), seq: 61 }],
    seq: 61,
    reason: 'row_unexpected',
  },
  {
    name: 'a forged row after the tail, well linked',
    act: (r) => {
      const rows = [...r, { ...at(r, 60), seq: 61 }];
      rehash(rows, 60);
      return rows;
    },
    seq: 61,
    reason: 'row_unexpected',
  },
  {
    name: 'a forged row in the middle',
    act: (r) => {
      for (const row of r) if (row.seq >= 30) row.seq += 1;
      return [...r, { ...at(r, 29), seq: 30 }];
    },
    seq: 30,
  },
  {
    name: 'a forged row before the first',
    act: (r) => [{ ...at(r, 1), seq: 0 }, ...r],
    seq: 0,
    reason: 'row_unexpected',
  },
  {
    name: 'another first row',
    act: (r) => {
      at(r, 1).data = '{"forged":true}';
      rehash(r, 0);
      return undefined;
    },
    seq: 20,
    reason: 'checkpoint_mismatch',
  },
  {
    name: 'a first row that names another before it',
    act: (r) => {
      at(r, 1).prev_hash = 'ab'.repeat(32);
      return undefined;
    },
    seq: 1,
    reason: 'link_broken',
  },
  {
    name: 'a fork: two rows after the same one',
    act: (r) => [...r, { ...at(r, 31), data: '{"fork":1}' }],
    seq: 31,
  },
  {
    name: 'an old copy of the rows',
    act: (r) => r.filter((row) => row.seq <= 30),
    seq: 31,
    reason: 'tail_missing',
  },
  {
    name: 'an order of names that is not canonical',
    act: (r) => {
      const row = at(r, 4);
      row.data = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(row.data)).reverse()));
      return undefined;
    },
    seq: 4,
    reason: 'row_changed',
  },
  {
    name: 'a space in the data',
    act: (r) => {
      at(r, 4).data = at(r, 4).data.replace(':', ': ');
      return undefined;
    },
    seq: 4,
    reason: 'row_changed',
  },
  {
    name: 'another Unicode form',
    act: (r) => {
      at(r, 3).data = at(r, 3).data.normalize('NFD');
      return undefined;
    },
    seq: 3,
    reason: 'row_changed',
  },
  {
    name: 'a field added to the data',
    act: (r) => {
      at(r, 4).data = at(r, 4).data.replace('{', '{"a":1,');
      return undefined;
    },
    seq: 4,
    reason: 'row_changed',
  },
  {
    name: 'a letter moved from one field to the next',
    act: (r) => {
      const row = at(r, 4);
      row.subject = row.actor.slice(-1) + row.subject;
      row.actor = row.actor.slice(0, -1);
      return undefined;
    },
    seq: 4,
    reason: 'row_changed',
  },
  {
    name: 'the head deleted',
    act: (_r, t) => void t.heads.splice(t.heads.indexOf(head(t)), 1),
    seq: 60,
    reason: 'head_changed',
  },
  {
    name: "another chain's head",
    act: (_r, t) => {
      const other = t.heads.find((one) => one.organization_id === B)!;
      Object.assign(head(t), { seq: other.seq, hash: other.hash, seal: other.seal });
      return undefined;
    },
  },
  {
    name: 'a checkpoint without signature',
    act: (_r, t) => {
      ofA(t)[0]!.signature = '';
      return undefined;
    },
    seq: 20,
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint signed with another key',
    act: (_r, t) => {
      const c = ofA(t)[1]!;
      c.hash = 'ab'.repeat(32);
      signAs(Buffer.alloc(32, 1), c);
      return undefined;
    },
    seq: 40,
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint whose signature is spelt otherwise',
    act: (_r, t) => {
      ofA(t)[0]!.signature += '=';
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint that names another row',
    act: (_r, t) => {
      ofA(t)[1]!.seq = 39;
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'an old checkpoint under a new number',
    act: (_r, t) => {
      t.checkpoints.push({ ...ofA(t)[0]!, number: 3 });
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: "another chain's checkpoint",
    act: (_r, t) => {
      const other = t.checkpoints.find((c) => c.organization_id === B)!;
      t.checkpoints.push({ ...other, organization_id: A, number: 3 });
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'the first checkpoint taken out of the database',
    act: (_r, t) => void t.checkpoints.splice(t.checkpoints.indexOf(ofA(t)[0]!), 1),
    reason: 'checkpoint_missing',
  },
  {
    name: 'all checkpoints taken out of the database',
    act: (_r, t) => {
      for (const c of ofA(t)) t.checkpoints.splice(t.checkpoints.indexOf(c), 1);
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'the last checkpoint taken out of the file',
    act: (_r, _t, f) => {
      const lines = fileLines(f);
      lines.splice(lines.findLastIndex(isOfA), 1);
      f.text = `${lines.join('\n')}\n`;
      return undefined;
    },
    seq: 40,
    reason: 'checkpoint_missing',
  },
  {
    name: 'an old copy of the file',
    act: (_r, _t, f) => {
      f.text = `${fileLines(f).slice(0, 2).join('\n')}\n`;
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'an old checkpoint replayed in the file',
    act: (_r, _t, f) => {
      f.text += `${fileLines(f).find(isOfA)}\n`;
      return undefined;
    },
    reason: 'checkpoint_replayed',
  },
  {
    name: 'a checkpoint line with another algorithm',
    act: (_r, _t, f) => {
      f.text = f.text.replace('"algorithm":"Ed25519"', '"algorithm":"none"');
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'a checkpoint line with a member more',
    act: (_r, _t, f) => {
      f.text = f.text.replace('"type":"checkpoint"', '"type":"checkpoint","x":1');
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'a checkpoint from another file',
    act: (_r, _t, f) => {
      const c = {
        organization_id: A,
        number: 3,
        seq: 40,
        hash: 'ab'.repeat(32),
        at_ms: NOON,
        file_id: 'ckf_other',
        key_id: '',
        signature: '',
      };
      signAs(Buffer.alloc(32, 0x5a), c);
      f.text += `${toLine(c)}\n`;
      return undefined;
    },
    reason: 'checkpoint_replayed',
  },
  {
    name: 'rows, head and checkpoints set back to an old copy',
    act: (_r, t) => {
      t.restoreOld();
      return undefined;
    },
    seq: 21,
    reason: 'tail_missing',
  },
];
