import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** RFC 8410: an Ed25519 private key in PKCS #8, up to its 32-byte seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_BYTES = 32;

/** Signs what devices are told, so that they need not trust the way it came or the disk it lies on. */
export interface DeviceSigner {
  /** SPKI DER in base64: what a device pins when it enrolls. */
  readonly publicKey: string;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly keyId: string;
  /** Ed25519 over the UTF-8 of the text, in base64. */
  sign(text: string): string;
}

/** `seed`: 32 secret bytes. Instances that share them sign alike. */
export function createDeviceSigner(seed: Buffer): DeviceSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: spki.toString('base64'),
    keyId: createHash('sha256').update(spki.subarray(-RAW_BYTES)).digest('hex').slice(0, 16),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64'),
  };
}
