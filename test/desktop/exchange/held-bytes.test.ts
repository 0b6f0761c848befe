import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type HeldBytes,
  heldPieces,
  heldWhole,
  hold,
} from '../../../apps/desktop/src/exchange/held-bytes.ts';

test('keeps pieces, and the whole, in their order of arrival', () => {
  assert.deepEqual(heldPieces(null), []);
  assert.equal(heldWhole(null).length, 0);
  let held: HeldBytes | null = null;
  for (const text of ['ab', '', 'c', 'def']) held = hold(held, Buffer.from(text));
  assert.deepEqual(heldPieces(held).map(String), ['ab', '', 'c', 'def']);
  assert.equal(String(Buffer.from(heldWhole(held))), 'abcdef');
  assert.equal(held?.size, 6);
});

test('adding a piece does not change what was held before', () => {
  const first = hold(null, Buffer.from('a'));
  const [one, other] = [hold(first, Buffer.from('b')), hold(first, Buffer.from('c'))];
  assert.deepEqual(heldPieces(one).map(String), ['a', 'b']);
  assert.deepEqual(heldPieces(other).map(String), ['a', 'c']);
  assert.equal(heldWhole(first), first.bytes, 'a single piece is not copied');
});
