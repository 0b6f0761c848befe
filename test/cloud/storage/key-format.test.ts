import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeKey, parseKey } from '../../../apps/cloud/src/storage/key-format.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** CRC-32 of this body starts with zeros in base62, so that padding matters. */
const KNOWN = 'svc_live_00000000_00000000000000000000000000000000';

test('a generated key is valid, and its prefix identifies it', () => {
  for (let n = 0; n < 200; n++) {
    const key = makeKey();
    assert.match(key, /^svc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    assert.deepEqual(parseKey(key), { kind: 'key', prefix: key.slice(0, 17) });
  }
});

test('keys are unique', () => {
  assert.equal(new Set(Array.from({ length: 2000 }, makeKey)).size, 2000);
});

test('every single wrong letter is detected', () => {
  const key = makeKey();
  for (let at = 9; at < key.length; at++) {
    for (const letter of ALPHABET) {
      if (letter === key[at]) continue;
      const wrong = key.slice(0, at) + letter + key.slice(at + 1);
      assert.equal(parseKey(wrong).kind, 'mistyped', wrong);
    }
  }
});

test('swapped neighbors, lost letters and added letters are detected', () => {
  const key = makeKey();
  for (let at = 9; at < key.length; at++) {
    assert.equal(parseKey(key.slice(0, at) + key.slice(at + 1)).kind, 'mistyped');
    assert.equal(parseKey(`${key.slice(0, at)}x${key.slice(at)}`).kind, 'mistyped');
    const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
    if (swapped !== key) assert.equal(parseKey(swapped).kind, 'mistyped', swapped);
  }
  assert.equal(parseKey(`${key}\n`).kind, 'mistyped');
  assert.equal(parseKey(KNOWN).kind, 'mistyped');
});

test('any other text is no key, and none makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => parseKey(text).kind !== 'key'),
    { seed: 7 },
  );
  assert.equal(parseKey('sk-proj-abc').kind, 'not_a_key');
  assert.equal(parseKey('SVC_LIVE_abc').kind, 'not_a_key');
});
