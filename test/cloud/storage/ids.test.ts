import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEventId, newId, randomBase62, toBase62 } from '../../../apps/cloud/src/storage/ids.ts';

test('ids name their kind and are unique', () => {
  assert.match(newId('org'), /^org_[0-9A-Za-z]{16}$/);
  assert.equal(new Set(Array.from({ length: 5000 }, () => newId('key'))).size, 5000);
});

test('event ids of later milliseconds sort after earlier ones', () => {
  const times = [0, 1, 61, 62, 1_700_000_000_000, 1_700_000_000_001, 1_795_000_000_000, 9_999_999_999_999];
  const ids = times.map(newEventId);
  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids) assert.match(id, /^evt_[0-9A-Za-z]{20}$/);
});

test('random letters are evenly distributed', () => {
  const counts = new Map<string, number>();
  for (const letter of randomBase62(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // 1000 expected of each, standard deviation 31: a bias of the modulo would show as 25% more.
  for (const [letter, count] of counts) assert.ok(Math.abs(count - 1000) < 190, `${letter}: ${count}`);
});

test('numbers are padded, and never cut', () => {
  assert.equal(toBase62(0, 3), '000');
  assert.equal(toBase62(61, 2), '0z');
  assert.equal(toBase62(62 ** 3, 2), '1000');
});
