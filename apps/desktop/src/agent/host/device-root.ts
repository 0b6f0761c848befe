import { existsSync, readFileSync } from 'node:fs';
import {
  coversHost,
  createRoot,
  describeRoot,
  isWhole,
  type RootCertificate,
} from '../../trust/root-certificate.ts';
import type { TrustedRoot, TrustStore } from '../../trust/trust-store.ts';
import type { Vault, VaultProblem } from '../../vault/vault.ts';
import type { StateFiles } from '../settings/state-files.ts';

/** `GET /` on it is answered by the proxy itself. */
export const PROBE_HOST = 'probe.content-security-agent.invalid';
/** One that ends within this time is made anew. */
const RENEW_MS = 30 * 24 * 60 * 60 * 1000;

export type RootOutcome =
  | { readonly kind: 'ok'; readonly root: RootCertificate; readonly isNew: boolean }
  | VaultProblem;

/** The device's root as stores take it; null: there is none. Needs no key. */
export function readTrustedRoot(files: StateFiles): TrustedRoot | null {
  if (!existsSync(files.root)) return null;
  try {
    const pem = readFileSync(files.root, 'utf8');
    const { sha1, commonName } = describeRoot(pem);
    return { pem, path: files.root, sha1, commonName };
  } catch {
    return null;
  }
}

/** The root that is there if it is good for all of `hosts`, otherwise a new one. The key goes into the vault first. */
export async function ensureRoot(
  files: StateFiles,
  vault: Vault,
  hosts: readonly string[],
  nowMs: number,
): Promise<RootOutcome> {
  const key = await vault.read('issuer-key');
  if (key.kind === 'locked' || key.kind === 'unavailable') return key;
  const pem = readTrustedRoot(files)?.pem;
  const issuerPem = existsSync(files.issuer) ? readFileSync(files.issuer, 'utf8') : undefined;
  if (pem !== undefined && issuerPem !== undefined && key.kind === 'ok') {
    const known = { pem, issuerPem, key: key.secret };
    if (isGoodFor(pem, hosts, nowMs) && isWhole(known)) return { kind: 'ok', root: known, isNew: false };
  }
  const root = await createRoot([...hosts, PROBE_HOST], nowMs);
  const stored = await vault.write('issuer-key', root.key);
  if (stored.kind !== 'ok') return stored;
  files.write(files.issuer, root.issuerPem, 0o644);
  files.write(files.root, root.pem, 0o644);
  return { kind: 'ok', root, isNew: true };
}

/** For so long that no other is needed soon, and for all of these hosts. */
export function isGoodFor(pem: string, hosts: readonly string[], nowMs: number): boolean {
  const { notBeforeMs, notAfterMs } = describeRoot(pem);
  const isInTime = notBeforeMs <= nowMs && notAfterMs - nowMs > RENEW_MS;
  return isInTime && [...hosts, PROBE_HOST].every((host) => coversHost(pem, host));
}

/**
 * A new root is no good to apps until the stores that held the old one know it. Null, or why one of them could not be
 * changed: `doctor` says which.
 */
export async function replaceCertificate(
  files: StateFiles,
  stores: readonly TrustStore[],
  oldPem: string,
): Promise<string | null> {
  const fresh = readTrustedRoot(files);
  if (fresh === null) return null;
  const former = { ...fresh, pem: oldPem, ...describeRoot(oldPem) };
  let problem: string | null = null;
  for (const store of stores) {
    if ((await store.state(former)).kind !== 'installed') continue;
    await store.remove(former);
    const installed = await store.install(fresh);
    if (installed.kind === 'failed') problem = installed.reason;
  }
  return problem;
}
