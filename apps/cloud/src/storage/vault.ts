import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { derive, hmac } from './derive.ts';
import type { Sealer } from './sealer.ts';

/** RFC 8410: an Ed25519 private key in PKCS #8, up to its 32-byte seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_RAW_BYTES = 32;

/** 32 random bytes each, sealed in the database: they stay when the master key changes. */
export interface OwnSecrets {
  readonly lookup: Buffer;
  readonly auditCheckpoint: Buffer;
  readonly deviceConfig: Buffer;
}

/** What storage does with its keys. Each purpose has a key of its own. */
export interface Vault extends Sealer {
  /** HMAC-SHA-256: finds a presented key or token without storing it. */
  lookupHash(text: string): Buffer;
  /** Ed25519, for audit checkpoints. */
  readonly signingKey: KeyObject;
  readonly publicKey: KeyObject;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly signingKeyId: string;
}

/** What databases of before hung on their master key itself. */
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
