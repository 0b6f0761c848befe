import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVault, sameBytes } from '../../../apps/cloud/src/storage/vault.ts';

const vault = createVault(Buffer.alloc(32, 1));
const other = createVault(Buffer.alloc(32, 2));

test('what is sealed opens to itself, never twice alike, only where it belongs', () => {
  const [first, second] = [vault.seal('geheim ü', 'key_1'), vault.seal('geheim ü', 'key_1')];
  assert.equal(first.equals(second), false);
  assert.equal(first.includes('geheim'), false);
  assert.equal(vault.open(first, 'key_1'), 'geheim ü');
  assert.throws(() => vault.open(first, 'key_2'));
  assert.throws(() => other.open(first, 'key_1'));
});

test('a sealed text with any bit changed or any byte lost does not open', () => {
  const sealed = vault.seal('a key', 'key_1');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => vault.open(changed, 'key_1'), `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => vault.open(sealed.subarray(0, length), 'key_1'), `${length} bytes`);
  }
});

test('every purpose and every master key has hashes of its own, the same at every start', () => {
  const again = createVault(Buffer.alloc(32, 1));
  assert.deepEqual(vault.lookupHash('x'), again.lookupHash('x'));
  assert.notDeepEqual(vault.lookupHash('x'), other.lookupHash('x'));
  assert.notDeepEqual(vault.headSeal('o', 1, 'h'), vault.headSeal('o', 2, 'h'));
  assert.equal(vault.fingerprint, again.fingerprint);
  assert.notEqual(vault.fingerprint, other.fingerprint);
  assert.equal(vault.signingKeyId, again.signingKeyId);
  assert.throws(() => createVault(Buffer.alloc(31)), RangeError);
});

test('bytes of another length are other bytes', () => {
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('ab')), true);
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('abc')), false);
  assert.equal(sameBytes(Buffer.from('ab'), Buffer.from('ac')), false);
});
