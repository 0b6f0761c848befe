import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkToken } from '../../../apps/cloud/dashboard/src/data/link-token.ts';

test('the token of a link is read after the #, or in an older kind of link after the ?', () => {
  assert.equal(linkToken('#token=abc'), 'abc');
  assert.equal(linkToken('', '?token=xyz'), 'xyz');
  assert.equal(linkToken('#token=abc', '?token=xyz'), 'abc');
  assert.equal(linkToken('#elsewhere'), '');
});
