import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { derive, hmac, sameBytes } from './derive.ts';

/** Without a key id: from before there could be several keys. */
const FIRST_VERSION = 1;
const VERSION = 2;
const ID_BYTES = 8;
/** Version and key id, which identify the master key of a stored value. */
export const SEAL_PREFIX_BYTES = 1 + ID_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HMAC_BYTES = 32;

/** 32 bytes or more each, stored outside the database. */
export interface MasterKeys {
  /** Seals all new values. */
  readonly current: Buffer;
  /** Keys that are only used to open: former keys, or the next one while instances change over. */
  readonly previous: readonly Buffer[];
}

export interface Sealer {
  /** Returns version, key id, nonce, ciphertext and tag (AES-256-GCM). Opening requires the same `boundTo`. */
  seal(plain: string | Buffer, boundTo: string): Buffer;
  /** Throws if the value was changed, moved, or sealed with a master key that was not provided. */
  open(sealed: Buffer, boundTo: string): string;
  /** The same for binary values. */
  openBytes(sealed: Buffer, boundTo: string): Buffer;
  /** Returns version, key id and HMAC-SHA-256 over the head of an audit chain. */
  headSeal(organizationId: string, seq: number, hashHex: string): Buffer;
  /** `unknown_key`: sealed with a master key that was not provided, so the seal cannot be checked. */
  checkHeadSeal(seal: Buffer, organizationId: string, seq: number, hashHex: string): HeadSealCheck;
  /** 16 hex digits that identify a master key without revealing it; the current one is first. */
  readonly keyIds: readonly string[];
}

export type HeadSealCheck = 'genuine' | 'false' | 'unknown_key';

/** Returns a value that identifies the master key without revealing it. */
export function fingerprintOf(masterKey: Buffer): string {
  return derive(masterKey, 'csg/storage/v1/fingerprint').toString('hex').slice(0, 32);
}

/** Returns the id of the key with this fingerprint. */
export function keyIdOf(fingerprint: string): string {
  return fingerprint.slice(0, 2 * ID_BYTES);
}

/** Returns the prefix of every value sealed with this key. */
export function sealPrefix(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(keyId, 'hex')]);
}

/** Returns the key id in the prefix of a sealed value; null: none, the value predates key ids. */
export function keyIdIn(prefix: Buffer): string | null {
  return prefix[0] === VERSION && prefix.length === SEAL_PREFIX_BYTES
    ? prefix.subarray(1).toString('hex')
    : null;
}

export function createSealer({ current, previous }: MasterKeys): Sealer {
  const keys = new Map<string, { readonly seal: KeyObject; readonly head: KeyObject }>();
  for (const key of [current, ...previous]) {
    if (key.length < 32) throw new RangeError('The master key must have at least 32 bytes.');
    keys.set(keyIdOf(fingerprintOf(key)), {
      seal: createSecretKey(derive(key, 'csg/storage/v1/seal')),
      head: createSecretKey(derive(key, 'csg/storage/v1/audit-head')),
    });
  }
  const keyIds = [...keys.keys()];
  const currentId = keyIds[0] as string;
  const currentKey = keys.get(currentId)!;
  const prefix = sealPrefix(currentId);
  const headSeal = createHeadSeal(currentKey.head, prefix);

  function openWith(sealKey: KeyObject, sealed: Buffer, boundTo: string): Buffer {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('An encrypted value is truncated.');
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  }

  function openBytes(sealed: Buffer, boundTo: string): Buffer {
    if (sealed[0] === FIRST_VERSION) {
      const rest = sealed.subarray(1);
      const opened = firstThat(keys.values(), (key) => openWith(key.seal, rest, boundTo));
      if (opened !== undefined) return opened;
      throw new Error(
        'An encrypted value was changed, moved, or encrypted with a master key that was not given.',
      );
    }
    const id = keyIdIn(sealed.subarray(0, SEAL_PREFIX_BYTES));
    if (id === null) throw new Error('The value is not in the encrypted format of this version.');
    const key = keys.get(id);
    if (key === undefined) {
      throw new Error(`A value is encrypted with master key ${id}, which this process was not given.`);
    }
    return openWith(key.seal, sealed.subarray(SEAL_PREFIX_BYTES), boundTo);
  }

  return {
    seal(plain, boundTo) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey.seal, nonce).setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([
        typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
        cipher.final(),
      ]);
      return Buffer.concat([prefix, nonce, body, cipher.getAuthTag()]);
    },
    open: (sealed, boundTo) => openBytes(sealed, boundTo).toString('utf8'),
    openBytes,
    headSeal,
    checkHeadSeal(seal, organizationId, seq, hashHex) {
      if (sameBytes(headSeal(organizationId, seq, hashHex), seal)) return 'genuine';
      const text = headText(organizationId, seq, hashHex);
      const isBy = (key: { readonly head: KeyObject }, mac: Buffer): boolean =>
        sameBytes(hmac(key.head, text), mac);
      if (seal.length === HMAC_BYTES) {
        return [...keys.values()].some((key) => isBy(key, seal)) ? 'genuine' : 'false';
      }
      const id = keyIdIn(seal.subarray(0, SEAL_PREFIX_BYTES));
      if (id === null || seal.length !== SEAL_PREFIX_BYTES + HMAC_BYTES) return 'false';
      const key = keys.get(id);
      if (key === undefined) return 'unknown_key';
      return isBy(key, seal.subarray(SEAL_PREFIX_BYTES)) ? 'genuine' : 'false';
    },
    keyIds,
  };
}

/** Number of chains whose last seal is cached. */
const MAX_KNOWN_SEALS = 1_000;

/** Caches the last seal of each chain, because that is nearly always the one that is checked next. */
function createHeadSeal(headKey: KeyObject, prefix: Buffer): Sealer['headSeal'] {
  const last = new Map<string, { readonly text: string; readonly seal: Buffer }>();
  return (organizationId, seq, hashHex) => {
    const text = headText(organizationId, seq, hashHex);
    const known = last.get(organizationId);
    if (known?.text === text) return known.seal;
    const seal = Buffer.concat([prefix, hmac(headKey, text)]);
    if (last.size >= MAX_KNOWN_SEALS) last.clear();
    last.set(organizationId, { text, seal });
    return seal;
  };
}

function headText(organizationId: string, seq: number, hashHex: string): string {
  return `${organizationId}\n${seq}\n${hashHex}`;
}

function firstThat<T, R>(all: Iterable<T>, attempt: (one: T) => R): R | undefined {
  for (const one of all) {
    try {
      return attempt(one);
    } catch {
      // Try the next key.
    }
  }
  return undefined;
}
