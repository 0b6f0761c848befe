import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { derive, hmac } from './derive.ts';
import type { Sealer } from './sealer.ts';

/** RFC 8410: an Ed25519 private key in PKCS #8, up to its 32-byte seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_RAW_BYTES = 32;

/** 32 random bytes each, sealed in the database: they do not change with the master key. */
export interface OwnSecrets {
  readonly lookup: Buffer;
  readonly auditCheckpoint: Buffer;
  readonly deviceConfig: Buffer;
}

/** Cryptographic operations of storage. Each purpose has a key of its own. */
export interface Vault extends Sealer {
  /** HMAC-SHA-256, used to find a presented key or token without storing it. */
  lookupHash(text: string): Buffer;
  /** Ed25519 key for audit checkpoints. */
  readonly signingKey: KeyObject;
  readonly publicKey: KeyObject;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly signingKeyId: string;
}

/** Returns the secrets that earlier builds derived from the master key. */
export function derivedSecrets(masterKey: Buffer): OwnSecrets {
  return {
    lookup: derive(masterKey, 'csg/storage/v1/lookup'),
    auditCheckpoint: derive(masterKey, 'csg/storage/v1/audit-checkpoint'),
    deviceConfig: derive(masterKey, 'csg/devices/v1/config-signing'),
  };
}

export function createVault(sealer: Sealer, secrets: OwnSecrets): Vault {
  const lookupKey = createSecretKey(secrets.lookup);
  const signingKey = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, secrets.auditCheckpoint]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(signingKey);
  const rawPublicKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-ED25519_RAW_BYTES);
  return {
    ...sealer,
    lookupHash: (text) => hmac(lookupKey, text),
    signingKey,
    publicKey,
    signingKeyId: createHash('sha256').update(rawPublicKey).digest('hex').slice(0, 16),
  };
}
