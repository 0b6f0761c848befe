import { existsSync, readFileSync, statSync } from 'node:fs';
import {
  coverageOf,
  createRoot,
  describeRoot,
  isConsistent,
  type RootCertificate,
} from '../../trust/root-certificate.ts';
import type { TrustedRoot, TrustStore } from '../../trust/trust-store.ts';
import type { Vault, VaultProblem, VaultRead } from '../../vault/vault.ts';
import type { StateFiles } from '../settings/state-files.ts';

/** The proxy itself answers `GET /` on this host. */
export const PROBE_HOST = 'probe.content-security-agent.invalid';
const MAX_ROOT_BYTES = 64 * 1024;
/** A root that expires within this time is renewed. */
const RENEW_MS = 30 * 24 * 60 * 60 * 1000;

export type RootOutcome =
  | {
      readonly kind: 'ok';
      readonly root: RootCertificate;
      /** Covers hosts that `root` does not; programs do not trust it until an administrator has installed it. */
      readonly next: RootCertificate | null;
      /** True if one of them was created by this call. */
      readonly isNew: boolean;
    }
  | VaultProblem;

/** Returns the device's root as stores take it; null: there is none. Needs no key. */
export function readTrustedRoot(files: StateFiles): TrustedRoot | null {
  return readRootFile(files.root);
}

/** Returns the root that stores should contain: the successor, if there is one. */
export function readInstallableRoot(files: StateFiles): TrustedRoot | null {
  return readRootFile(files.nextRoot) ?? readTrustedRoot(files);
}

/** Returns every root of this device that a store may contain. */
export function readAllRoots(files: StateFiles): readonly TrustedRoot[] {
  const found = [files.root, files.nextRoot, files.formerRoot].map(readRootFile);
  return found.filter((root) => root !== null);
}

function readRootFile(path: string): TrustedRoot | null {
  try {
    // An administrator's command also reads this path: the user may have put a pipe or a device there.
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_ROOT_BYTES) return null;
    const pem = readFileSync(path, 'utf8');
    const { sha1, commonName } = describeRoot(pem);
    return { pem, path, sha1, commonName };
  } catch {
    return null;
  }
}

/**
 * Returns the existing root, or creates one. A root that does not cover all of `hosts` stays in use and gets a
 * successor. Keys go into the vault first.
 */
export async function ensureRoot(
  files: StateFiles,
  vault: Vault,
  hosts: readonly string[],
  nowMs: number,
): Promise<RootOutcome> {
  const key = await vault.read('issuer-key');
  if (key.kind === 'locked' || key.kind === 'unavailable') return key;
  const root = wholeRoot(files.root, files.issuer, key);
  if (root === null || !isValid(root.pem, nowMs)) {
    const first = await makeRoot(files, vault, FIRST, hosts, nowMs);
    return 'kind' in first ? first : { kind: 'ok', root: first, next: null, isNew: true };
  }
  if (isRootValidFor(root.pem, hosts, nowMs)) return { kind: 'ok', root, next: null, isNew: false };
  const next = wholeRoot(files.nextRoot, files.nextIssuer, await vault.read('next-issuer-key'));
  if (next !== null && isRootValidFor(next.pem, hosts, nowMs))
    return { kind: 'ok', root, next, isNew: false };
  const made = await makeRoot(files, vault, NEXT, hosts, nowMs);
  return 'kind' in made ? made : { kind: 'ok', root, next: made, isNew: true };
}

/**
 * Returns the names that a root of this device covers: `domains` of known AI providers, with every host they may add,
 * and the `hosts` outside them. They are chosen once, because a change takes an administrator.
 */
export function certificateNames(domains: readonly string[], hosts: readonly string[]): readonly string[] {
  const isOfProvider = (name: string) =>
    domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
  const others = hosts
    .map((host) => host.toLowerCase().replace(/^\*\./, ''))
    .filter((host) => !isOfProvider(host));
  return [...domains, ...new Set(others), PROBE_HOST];
}

const FIRST = { root: 'root', issuer: 'issuer', key: 'issuer-key' } as const;
const NEXT = { root: 'nextRoot', issuer: 'nextIssuer', key: 'next-issuer-key' } as const;

async function makeRoot(
  files: StateFiles,
  vault: Vault,
  names: typeof FIRST | typeof NEXT,
  hosts: readonly string[],
  nowMs: number,
): Promise<RootCertificate | VaultProblem> {
  // Imported late: rarely needed, and it loads the tables of all providers.
  const { AI_DOMAINS } = await import('@csg/shared/providers');
  const root = await createRoot(certificateNames(AI_DOMAINS, hosts), nowMs);
  return (await saveRoot(files, vault, names, root)) ?? root;
}

/** Resolves to null, or why the key could not be stored. */
async function saveRoot(
  files: StateFiles,
  vault: Vault,
  names: typeof FIRST | typeof NEXT,
  root: RootCertificate,
): Promise<VaultProblem | null> {
  const stored = await vault.write(names.key, root.key);
  if (stored.kind !== 'ok') return stored;
  files.write(files[names.issuer], root.issuerPem, 0o644);
  files.write(files[names.root], root.pem, 0o644);
  return null;
}

/** Returns null unless root, issuer and key exist and belong together. */
function wholeRoot(rootFile: string, issuerFile: string, key: VaultRead): RootCertificate | null {
  const pem = readRootFile(rootFile)?.pem;
  if (pem === undefined || key.kind !== 'ok' || !existsSync(issuerFile)) return null;
  const root = { pem, issuerPem: readFileSync(issuerFile, 'utf8'), key: key.secret };
  return isConsistent(root) ? root : null;
}

function isValid(pem: string, nowMs: number): boolean {
  const { notBeforeMs, notAfterMs } = describeRoot(pem);
  return notBeforeMs <= nowMs && nowMs < notAfterMs;
}

/** True if the root covers all of these hosts and does not need renewal soon. */
export function isRootValidFor(pem: string, hosts: readonly string[], nowMs: number): boolean {
  const { notBeforeMs, notAfterMs } = describeRoot(pem);
  const isInTime = notBeforeMs <= nowMs && notAfterMs - nowMs > RENEW_MS;
  return isInTime && [...hosts, PROBE_HOST].every(coverageOf(pem));
}

/**
 * Installs the successor in every store that contains the current root and that the user can change. Resolves to null,
 * or why a store could not be changed: `doctor` says which.
 */
export async function installNext(files: StateFiles, stores: readonly TrustStore[]): Promise<string | null> {
  const next = readRootFile(files.nextRoot);
  const root = readTrustedRoot(files);
  if (next === null || root === null) return null;
  let problem: string | null = null;
  for (const store of stores) {
    if ((await store.state(root)).kind !== 'installed') continue;
    const installed = await store.install(next);
    if (installed.kind === 'failed') problem = installed.reason;
  }
  return problem;
}

/** Makes `next` the root in use. The former root is removed from the stores that the user can change. */
export async function promoteNext(
  files: StateFiles,
  vault: Vault,
  stores: readonly TrustStore[],
  next: RootCertificate,
): Promise<VaultProblem | null> {
  const former = readTrustedRoot(files);
  if (former !== null) files.write(files.formerRoot, former.pem, 0o644);
  const problem = await saveRoot(files, vault, FIRST, next);
  if (problem !== null) return problem;
  await vault.remove('next-issuer-key');
  files.forget(files.nextRoot);
  files.forget(files.nextIssuer);
  const retired = readRootFile(files.formerRoot);
  let isLeft = false;
  for (const store of retired === null ? [] : stores) {
    if ((await store.state(retired!)).kind !== 'installed') continue;
    isLeft = (await store.remove(retired!)).kind === 'failed' || isLeft;
  }
  if (!isLeft) files.forget(files.formerRoot);
  return null;
}
