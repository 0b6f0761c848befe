import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, sameBytes } from '../../../../apps/cloud/src/storage/sealing/derive.ts';

test('derives one key for every purpose, the same each time', () => {
  const key = Buffer.alloc(32, 1);
  assert.deepEqual(derive(key, 'a'), derive(key, 'a'));
  assert.notDeepEqual(derive(key, 'a'), derive(key, 'b'));
  assert.notDeepEqual(derive(key, 'a'), derive(Buffer.alloc(32, 2), 'a'));
  assert.equal(derive(key, 'csg/storage/v1/seal').length, 32);
});

test('compares bytes of different lengths as different', () => {
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('ab')), true);
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('abc')), false);
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('ac')), false);
});
