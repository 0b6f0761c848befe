import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { importPrivateKey, newSerial, P256, privateKeyPem } from '../../../apps/desktop/src/trust/x509.ts';

test('a serial number is positive, 16 bytes long and unique', () => {
  const serials = Array.from({ length: 500 }, newSerial);
  for (const serial of serials) {
    assert.match(serial, /^[\da-f]{32}$/);
    // DER reads the first bit as the sign, and drops leading zeros.
    const first = Number.parseInt(serial.slice(0, 2), 16);
    assert.ok(first >= 0x40 && first < 0x80, serial);
  }
  assert.equal(new Set(serials).size, serials.length);
});

test('a private key survives writing and reading', async () => {
  const pair = (await webcrypto.subtle.generateKey(P256, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const pem = await privateKeyPem(pair.privateKey);
  const data = Buffer.from('signed');
  const key = createPrivateKey(pem);
  assert.ok(verify('sha256', data, createPublicKey(key), sign('sha256', data, key)));
  const signature = await webcrypto.subtle.sign(P256, await importPrivateKey(pem), data);
  assert.ok(await webcrypto.subtle.verify(P256, pair.publicKey, signature, data));
});
