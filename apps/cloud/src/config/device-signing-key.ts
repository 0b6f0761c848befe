import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** Prefix of an Ed25519 private key in PKCS #8 (RFC 8410), up to its 32-byte seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_BYTES = 32;

/** Signs what devices receive, so that they need not trust the connection or the disk that stores it. */
export interface DeviceSigner {
  /** SPKI DER in base64, which a device pins when it enrolls. */
  readonly publicKey: string;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly keyId: string;
  /** Returns the Ed25519 signature of the UTF-8 text, in base64. */
  sign(text: string): string;
}

/** `seed`: 32 secret bytes. Instances with the same seed produce the same signatures. */
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
