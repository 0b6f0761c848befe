import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { createDeviceSigner } from '../../../apps/cloud/src/config/device-signing-key.ts';

describe('the signing key for device configurations', () => {
  const signer = createDeviceSigner(Buffer.alloc(32, 1));
  const publicKey = createPublicKey({
    key: Buffer.from(signer.publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });

  test('makes signatures that its public key verifies for exactly the signed text', () => {
    assert.equal(publicKey.asymmetricKeyType, 'ed25519');
    const signature = Buffer.from(signer.sign('hello ü'), 'base64');
    assert.equal(verify(null, Buffer.from('hello ü'), publicKey, signature), true);
    assert.equal(verify(null, Buffer.from('hello u'), publicKey, signature), false);
  });

  test('is the same for the same seed, and another for another seed', () => {
    assert.equal(createDeviceSigner(Buffer.alloc(32, 1)).publicKey, signer.publicKey);
    const other = createDeviceSigner(Buffer.alloc(32, 2));
    assert.notEqual(other.publicKey, signer.publicKey);
    assert.notEqual(other.keyId, signer.keyId);
    assert.match(signer.keyId, /^[0-9a-f]{16}$/);
  });
});
