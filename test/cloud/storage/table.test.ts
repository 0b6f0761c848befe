import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bytes,
  flag,
  hidden,
  json,
  jsonOr,
  number,
  orNull,
  type RecordOf,
  type RowOf,
  table,
  text,
  word,
} from '../../../apps/cloud/src/storage/table.ts';

const parcelTable = table({
  id: text,
  organizationId: text,
  state: word<'open' | 'sent'>(),
  isHeavy: flag,
  isGift: orNull(flag),
  sentAtMs: orNull(number),
  tags: json<readonly string[]>(),
  notes: jsonOr<readonly string[]>([]),
  tokenHash: hidden(bytes),
});

const row: RowOf<typeof parcelTable> = {
  id: 'p1',
  organization_id: 'org_1',
  state: 'open',
  is_heavy: 1,
  is_gift: null,
  sent_at_ms: null,
  tags: '["a"]',
  notes: null,
  token_hash: Buffer.from('secret'),
};

test('a record has the visible columns under their own names, with flags and JSON parsed', () => {
  const record: RecordOf<typeof parcelTable> = parcelTable.read(row);
  assert.deepEqual(record, {
    id: 'p1',
    organizationId: 'org_1',
    state: 'open',
    isHeavy: true,
    isGift: null,
    sentAtMs: null,
    tags: ['a'],
    notes: [],
  });
  const other = { ...row, is_heavy: 0, is_gift: 0, sent_at_ms: 7, notes: '["b"]', state: 'sent' as const };
  const { isHeavy, isGift, sentAtMs, notes, state } = parcelTable.read(other);
  assert.deepEqual([isHeavy, isGift, sentAtMs, notes, state], [false, false, 7, ['b'], 'sent']);
});

test('other columns of a row, such as those of a joined table, are not in the record', () => {
  const joined = { ...row, project_name: 'Sales' };
  assert.deepEqual(Object.keys(parcelTable.read(joined)), Object.keys(parcelTable.read(row)));
});

test('a missing row is read as null', () => {
  assert.equal(parcelTable.readOrNull(undefined), null);
  assert.deepEqual(parcelTable.readOrNull(row), parcelTable.read(row));
});
