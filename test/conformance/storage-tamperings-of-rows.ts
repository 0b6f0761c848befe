import { at, head, ofA, rehash, swap, type Tampering, without } from './storage-tampering-tools.ts';

// Rows 1 to 40 are covered by checkpoints 1 (row 20) and 2 (row 40); rows 41 to 60 by the sealed head alone.
export const TAMPERINGS_OF_ROWS: readonly Tampering[] = [
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
];
