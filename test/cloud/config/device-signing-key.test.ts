import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { createDeviceSigner } from '../../../apps/cloud/src/config/device-signing-key.ts';

describe('the key that signs configurations of devices', () => {
  const signer = createDeviceSigner(Buffer.alloc(32, 1));
  const publicKey = createPublicKey({
    key: Buffer.from(signer.publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });

  test('what it signs, its public half verifies, and nothing else', () => {
    assert.equal(publicKey.asymmetricKeyType, 'ed25519');
    const signature = Buffer.from(signer.sign('hello ü'), 'base64');
    assert.equal(verify(null, Buffer.from('hello ü'), publicKey, signature), true);
    assert.equal(verify(null, Buffer.from('hello u'), publicKey, signature), false);
  });

  test('the same seed makes the same key, another one another', () => {
    assert.equal(createDeviceSigner(Buffer.alloc(32, 1)).publicKey, signer.publicKey);
    const other = createDeviceSigner(Buffer.alloc(32, 2));
    assert.notEqual(other.publicKey, signer.publicKey);
    assert.notEqual(other.keyId, signer.keyId);
    assert.match(signer.keyId, /^[0-9a-f]{16}$/);
  });
});
