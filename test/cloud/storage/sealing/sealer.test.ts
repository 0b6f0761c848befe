import assert from 'node:assert/strict';
import { createCipheriv, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { derive } from '../../../../apps/cloud/src/storage/sealing/derive.ts';
import {
  createSealer,
  fingerprintOf,
  keyIdIn,
  keyIdOf,
  SEAL_PREFIX_BYTES,
  sealPrefix,
} from '../../../../apps/cloud/src/storage/sealing/sealer.ts';

const [K1, K2, K3] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
const sealer = createSealer({ current: K1, previous: [] });
const other = createSealer({ current: K2, previous: [] });
const both = createSealer({ current: K2, previous: [K1] });

test('a value is encrypted to other bytes each time, and decrypts only in its own place', () => {
  const [first, second] = [sealer.seal('geheim ü', 'key_1'), sealer.seal('geheim ü', 'key_1')];
  assert.equal(first.equals(second), false);
  assert.equal(first.includes('geheim'), false);
  assert.equal(sealer.open(first, 'key_1'), 'geheim ü');
  assert.throws(() => sealer.open(first, 'key_2'));
});

test('an encrypted value with any bit changed or any byte lost does not decrypt', () => {
  const sealed = both.seal('a key', 'key_1');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => both.open(changed, 'key_1'), `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => both.open(sealed.subarray(0, length), 'key_1'), `${length} bytes`);
  }
});

test('every value names its key: it decrypts with that key as a previous one, else the error names the key', () => {
  const old = sealer.seal('secret', 'here');
  assert.equal(keyIdIn(old.subarray(0, SEAL_PREFIX_BYTES)), sealer.keyIds[0]);
  assert.equal(both.open(old, 'here'), 'secret');
  assert.throws(() => other.open(old, 'here'), new RegExp(sealer.keyIds[0]!));
  assert.deepEqual(both.seal('x', 'here').subarray(0, SEAL_PREFIX_BYTES), sealPrefix(other.keyIds[0]!));
  assert.deepEqual(both.keyIds, [...other.keyIds, ...sealer.keyIds]);
  assert.match(sealer.keyIds[0]!, /^[0-9a-f]{16}$/);
  assert.equal(sealer.keyIds[0], keyIdOf(fingerprintOf(K1)));
});

test('what this build has not sealed, or only a part of it, is rejected with a message of its own', () => {
  const sealed = sealer.seal('', 'here');
  assert.equal(sealer.open(sealed, 'here'), '');
  assert.throws(() => sealer.open(sealed.subarray(0, -1), 'here'), /truncated/);
  const later = Buffer.from(sealed);
  later[0] = 3;
  for (const value of [Buffer.alloc(0), later, sealed.subarray(0, SEAL_PREFIX_BYTES - 1)]) {
    assert.throws(() => sealer.open(value, 'here'), /not in the encrypted format/);
  }
});

test('a value that names another given key does not decrypt', () => {
  const moved = Buffer.from(sealer.seal('secret', 'here'));
  sealPrefix(other.keyIds[0]!).copy(moved);
  assert.throws(() => both.open(moved, 'here'));
});

test('a value from before keys had ids decrypts with any given key that fits', () => {
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv('aes-256-gcm', derive(K1, 'csg/storage/v1/seal'), nonce).setAAD(
    Buffer.from('at'),
  );
  const body = Buffer.concat([cipher.update('of old'), cipher.final()]);
  const old = Buffer.concat([Buffer.from([1]), nonce, body, cipher.getAuthTag()]);
  assert.equal(sealer.open(old, 'at'), 'of old');
  assert.equal(both.open(old, 'at'), 'of old');
  assert.throws(() => other.open(old, 'at'), /was not given/);
  assert.equal(keyIdIn(old.subarray(0, SEAL_PREFIX_BYTES)), null);
});

test('the seal of a chain head is genuine under a given key, false if changed, unknown without its key', () => {
  const seal = sealer.headSeal('org', 3, 'ab');
  assert.equal(sealer.checkHeadSeal(seal, 'org', 3, 'ab'), 'genuine');
  assert.equal(both.checkHeadSeal(seal, 'org', 3, 'ab'), 'genuine');
  assert.equal(both.checkHeadSeal(seal, 'org', 4, 'ab'), 'false');
  assert.equal(both.checkHeadSeal(seal, 'gro', 3, 'ab'), 'false');
  assert.equal(other.checkHeadSeal(seal, 'org', 3, 'ab'), 'unknown_key');
  assert.equal(both.checkHeadSeal(Buffer.alloc(32), 'org', 3, 'ab'), 'false');
  assert.equal(both.checkHeadSeal(Buffer.alloc(0), 'org', 3, 'ab'), 'false');
  assert.equal(both.checkHeadSeal(seal.subarray(0, 20), 'org', 3, 'ab'), 'false');
  assert.equal(
    other.checkHeadSeal(seal.subarray(0, 20), 'org', 3, 'ab'),
    'false',
    'cut, under a missing key',
  );
  assert.equal(both.checkHeadSeal(Buffer.concat([seal, Buffer.alloc(1)]), 'org', 3, 'ab'), 'false');
  const old = createHmac('sha256', derive(K1, 'csg/storage/v1/audit-head')).update('org\n3\nab').digest();
  assert.equal(both.checkHeadSeal(old, 'org', 3, 'ab'), 'genuine', 'from before keys had ids');
  assert.equal(other.checkHeadSeal(old, 'org', 3, 'ab'), 'false');
});

test('a key given twice counts once; a short one is rejected', () => {
  assert.equal(createSealer({ current: K1, previous: [K1, K3, K3] }).keyIds.length, 2);
  assert.throws(() => createSealer({ current: Buffer.alloc(31), previous: [] }), RangeError);
  assert.throws(() => createSealer({ current: K1, previous: [Buffer.alloc(31)] }), RangeError);
});
