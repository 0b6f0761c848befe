import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayOf,
  toStorableText,
  toStorableTextOrNull,
} from '../../../apps/cloud/src/storage/stored-values.ts';

test('text keeps every character that both engines can store', () => {
  assert.equal(toStorableText('ü 🦉 \t\n \u{10ffff}'), 'ü 🦉 \t\n \u{10ffff}');
  assert.equal(toStorableText('\0a\0'), '\ufffda\ufffd');
  assert.equal(toStorableText('\ud800x\udc00'), '\ufffdx\ufffd');
  assert.equal(toStorableTextOrNull(undefined), null);
  assert.equal(toStorableTextOrNull(''), '');
});

test('days are those of UTC', () => {
  for (const [at, day] of [
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), '2026-12-31'],
    [Date.UTC(2027, 0, 1), '2027-01-01'],
    [Date.UTC(2028, 1, 29, 12), '2028-02-29'],
    [0, '1970-01-01'],
    [Date.UTC(2027, 0, 1), '2027-01-01'],
  ] as const) {
    assert.equal(dayOf(at), day);
  }
});
