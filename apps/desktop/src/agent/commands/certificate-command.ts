import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';
import { hostMatcher } from '../../inspect/match-hosts.ts';
import { rootProblem } from '../../trust/check-root.ts';
import { constrainedNames } from '../../trust/root-certificate.ts';
import type { StoreOutcome, TrustedRoot, TrustStore } from '../../trust/trust-store.ts';
import {
  certificateNames,
  PROBE_HOST,
  readAllRoots,
  readInstallableRoot,
  readTrustedRoot,
} from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AgentError } from '../settings/read-settings.ts';
import { configurationProfile } from './configuration-profile.ts';

export interface StoresReport {
  readonly done: readonly string[];
  readonly left: readonly string[];
}

/** Returns PEM. Throws AgentError if there is no certificate. */
export function printCertificate(parts: Pick<AgentParts, 'files'>): string {
  return requireRoot(parts).pem;
}

type Parts = Pick<AgentParts, 'files' | 'stores'>;

export interface ChangeOptions {
  /** The name of one store; default: every store on this computer. */
  readonly store?: string;
  /** Names that the command line allows in addition to those of AI providers. */
  readonly allow?: readonly string[];
  /** True if the command may change more than the user may. */
  readonly isElevated: boolean;
}

/**
 * Installs the certificate in every store on this computer, or in one. With an administrator's rights, only a
 * certificate for known AI providers and for names in `allow` is accepted: no file or variable of the user can add to
 * them. Throws AgentError for any other certificate, and if there is none.
 */
export async function installCertificate(parts: Parts, options: ChangeOptions): Promise<StoresReport> {
  const root = requireOwnRoot(parts, options.isElevated ? (options.allow ?? []) : null);
  return changeStores(onlyStore(parts, options.store), [root], 'install', ownNames(root));
}

/** Removes only certificates of the agent's form: with an administrator's rights, a changed file could name others. */
export async function removeCertificate(
  parts: Parts,
  { store }: Pick<ChangeOptions, 'store'> = {},
): Promise<StoresReport> {
  requireRoot(parts);
  const roots = readAllRoots(parts.files).filter(({ pem }) => rootProblem(pem, null) === null);
  return changeStores(onlyStore(parts, store), roots, 'remove', []);
}

/** Returns the profile by which device management makes computers trust it. Throws like `installCertificate`. */
export function printProfile(parts: Pick<AgentParts, 'files'>, allow: readonly string[]): string {
  return configurationProfile(requireOwnRoot(parts, allow).pem);
}

function onlyStore({ stores }: Parts, name: string | undefined): readonly TrustStore[] {
  if (name === undefined) return stores;
  const found = stores.filter((store) => store.name === name);
  if (found.length > 0) return found;
  const names = stores.map((store) => store.name).join(', ');
  throw new AgentError(`Unknown store "${name}". Stores: ${names}.`);
}

async function changeStores(
  stores: readonly TrustStore[],
  roots: readonly TrustedRoot[],
  change: 'install' | 'remove',
  first: readonly string[],
): Promise<StoresReport> {
  const past = change === 'install' ? 'is trusted by' : 'is no longer trusted by';
  const done: string[] = [...first];
  const left: string[] = [];
  for (const store of stores) {
    for (const root of roots) {
      const outcome = await changeStore(store, change, root);
      if (outcome.kind === 'done') done.push(`The certificate ${past} the ${store.name} store.`);
      if (outcome.kind === 'failed') left.push(outcome.reason);
      if (outcome.kind === 'unavailable') done.push(`${outcome.reason} (${store.name}: nothing to do)`);
    }
  }
  return { done: [...new Set(done)], left: [...new Set(left)] };
}

/** Firefox's store writes its own copy, and recognizes former entries by their path. */
function changeStore(
  store: TrustStore,
  change: 'install' | 'remove',
  root: TrustedRoot,
): Promise<StoreOutcome> {
  return store.name === 'firefox' ? store[change](root) : withCopy(root, (copy) => store[change](copy));
}

/**
 * Passes system tools a copy of the file that no program of the user can change after the check. The environment's
 * temporary folder may belong to the user, who could replace the file there.
 */
async function withCopy<T>(root: TrustedRoot, work: (root: TrustedRoot) => Promise<T>): Promise<T> {
  const shared = process.platform === 'win32' ? 'C:\\Windows\\Temp' : '/tmp';
  const folder = mkdtempSync(path.join(existsSync(shared) ? shared : tmpdir(), 'content-security-agent-'));
  try {
    const copy = path.join(folder, 'root.pem');
    writeFileSync(copy, root.pem, { mode: 0o644 });
    return await work({ ...root, path: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `allow` null: with the user's own rights a certificate affects only that user, so its names are not checked. */
function requireOwnRoot({ files }: Pick<AgentParts, 'files'>, allow: readonly string[] | null): TrustedRoot {
  const root = readInstallableRoot(files) ?? requireRoot({ files });
  const problem = rootProblem(root.pem, null);
  if (problem !== null)
    throw new AgentError(
      `The certificate ${root.path} is not the one that the agent created (${problem}), so it was not installed. Unenroll this computer and enroll it again.`,
    );
  if (allow === null || rootProblem(root.pem, [...AI_DOMAINS, ...AI_HOSTS, PROBE_HOST, ...allow]) === null)
    return root;
  const names = unknownNames(root).filter((name) => !hostMatcher(withSubdomains(allow))(name));
  throw new AgentError(
    `The certificate was not installed, because it also covers hosts that are not AI providers: ${names.join(', ')}. If your organization inspects these hosts, run "agent ca install ${names.map((name) => `--allow ${name}`).join(' ')}".`,
  );
}

const isKnown = hostMatcher([...certificateNames(AI_DOMAINS, AI_HOSTS), ...withSubdomains(AI_DOMAINS)]);

const unknownNames = ({ pem }: TrustedRoot): readonly string[] =>
  constrainedNames(pem).filter((name) => !isKnown(name));

function withSubdomains(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `*.${name}`]);
}

/** Names that the agent does not know (organization, settings), which the installing person must see. */
function ownNames(root: TrustedRoot): readonly string[] {
  const names = unknownNames(root);
  return names.length === 0
    ? []
    : [`In addition to known AI providers, the certificate covers: ${names.join(', ')}.`];
}

function requireRoot({ files }: Pick<AgentParts, 'files'>) {
  const root = readTrustedRoot(files);
  if (root !== null) return root;
  throw new AgentError('This computer has no certificate. Enroll it first.');
}
