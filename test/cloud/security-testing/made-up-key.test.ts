import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeUpKey, UPPER_CASE } from '../../../apps/cloud/src/security-testing/made-up-key.ts';

test('makes a key of the requested form, the same every time, and another for another form', () => {
  assert.match(madeUpKey('AKIA', 16, UPPER_CASE), /^AKIA[A-Z2-7]{16}$/);
  assert.equal(madeUpKey('ghp_', 36), madeUpKey('ghp_', 36));
  assert.notEqual(madeUpKey('ghp_', 36).slice(4), madeUpKey('gho_', 36).slice(4));
  assert.ok(new Set(madeUpKey('', 40)).size > 20, 'a key looks random');
});
