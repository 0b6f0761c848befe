import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** RFC 8410: an Ed25519 private key in PKCS #8, up to its 32-byte seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_RAW_BYTES = 32;

/** What is done with the master key. Each purpose has a key of its own, derived by HKDF-SHA-256. */
export interface Vault {
  /** HMAC-SHA-256: finds a presented key or token without storing it. */
  lookupHash(text: string): Buffer;
  /** HMAC-SHA-256 over the head of an audit chain. */
  headSeal(organizationId: string, seq: number, hashHex: string): Buffer;
  /** Version byte, nonce, ciphertext, tag (AES-256-GCM). `boundTo` must be the same when it is opened. */
  seal(plain: string | Buffer, boundTo: string): Buffer;
  /** Throws when it was changed, moved, or sealed with another master key. */
  open(sealed: Buffer, boundTo: string): string;
  /** The same for bytes that need not be text. */
  openBytes(sealed: Buffer, boundTo: string): Buffer;
  /** Tells whether a database was made with this master key, without telling the key. */
  readonly fingerprint: string;
  /** Ed25519, for audit checkpoints. */
  readonly signingKey: KeyObject;
  readonly publicKey: KeyObject;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly signingKeyId: string;
}

export function createVault(masterKey: Buffer): Vault {
  if (masterKey.length < 32) throw new RangeError('The master key must have at least 32 bytes.');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `csg/storage/v1/${purpose}`, 32));
  const lookupKey = createSecretKey(derive('lookup'));
  const headKey = createSecretKey(derive('audit-head'));
  const sealKey = createSecretKey(derive('seal'));
  const signingKey = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, derive('audit-checkpoint')]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(signingKey);
  const rawPublicKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-ED25519_RAW_BYTES);

  function openBytes(sealed: Buffer, boundTo: string): Buffer {
    if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) {
      throw new Error('This is not something this build has sealed.');
    }
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const body = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(body), decipher.final()]);
  }

  return {
    lookupHash: (text) => createHmac('sha256', lookupKey).update(text).digest(),
    headSeal: createHeadSeal(headKey),
    seal(plain, boundTo) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([
        typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
        cipher.final(),
      ]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, body, cipher.getAuthTag()]);
    },
    open: (sealed, boundTo) => openBytes(sealed, boundTo).toString('utf8'),
    openBytes,
    fingerprint: derive('fingerprint').toString('hex').slice(0, 32),
    signingKey,
    publicKey,
    signingKeyId: createHash('sha256').update(rawPublicKey).digest('hex').slice(0, 16),
  };
}

/** Chains whose last seal is remembered. */
const MAX_KNOWN_SEALS = 1_000;

/** The seal asked for next is nearly always the one that was made last for its chain: it is remembered. */
function createHeadSeal(headKey: KeyObject): Vault['headSeal'] {
  const last = new Map<string, { readonly text: string; readonly seal: Buffer }>();
  return (organizationId, seq, hashHex) => {
    const text = `${organizationId}\n${seq}\n${hashHex}`;
    const known = last.get(organizationId);
    if (known?.text === text) return known.seal;
    const seal = createHmac('sha256', headKey).update(text).digest();
    if (last.size >= MAX_KNOWN_SEALS) last.clear();
    last.set(organizationId, { text, seal });
    return seal;
  };
}

/** Equal without telling by its time where they differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
