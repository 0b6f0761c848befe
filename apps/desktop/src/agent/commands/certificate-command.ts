import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';
import { hostMatcher } from '../../inspect/match-hosts.ts';
import { rootProblem } from '../../trust/check-root.ts';
import { constrainedNames } from '../../trust/root-certificate.ts';
import type { TrustedRoot } from '../../trust/trust-store.ts';
import { allowedHosts } from '../host/allowed-hosts.ts';
import { certificateNames, readAllRoots, readInstallableRoot, readTrustedRoot } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AgentError } from '../settings/read-settings.ts';

export interface StoresReport {
  readonly done: readonly string[];
  readonly left: readonly string[];
}

/** PEM. Throws AgentError where there is none. */
export function printCertificate(parts: Pick<AgentParts, 'files'>): string {
  return requireRoot(parts).pem;
}

type Parts = Pick<AgentParts, 'files' | 'stores' | 'settings'>;

/** Into every store that is here, or the one of this name. Throws AgentError where there is no certificate. */
export async function installCertificate(parts: Parts, store?: string): Promise<StoresReport> {
  return changeStores(onlyStore(parts, store), 'install', 'is trusted by');
}

export async function removeCertificate(parts: Parts, store?: string): Promise<StoresReport> {
  return changeStores(onlyStore(parts, store), 'remove', 'is not trusted any more by');
}

function onlyStore(parts: Parts, name: string | undefined): Parts {
  const { stores } = parts;
  if (name === undefined) return parts;
  const found = stores.filter((store) => store.name === name);
  if (found.length > 0) return { ...parts, stores: found };
  const names = stores.map((store) => store.name).join(', ');
  throw new AgentError(`There is no store "${name}" here, only these: ${names}.`);
}

async function changeStores(parts: Parts, change: 'install' | 'remove', past: string): Promise<StoresReport> {
  requireRoot(parts);
  const done: string[] = [];
  const left: string[] = [];
  const roots = change === 'remove' ? readAllRoots(parts.files) : [requireOwnRoot(parts)];
  if (change === 'install') done.push(...ownNames(roots[0]!));
  for (const store of parts.stores) {
    for (const root of roots) {
      const outcome = await withCopy(root, store.name === 'system', (copy) => store[change](copy));
      if (outcome.kind === 'done') done.push(`The certificate ${past} the ${store.name} store.`);
      if (outcome.kind === 'failed') left.push(outcome.reason);
      if (outcome.kind === 'unavailable') done.push(`${outcome.reason} (${store.name}: nothing to do)`);
    }
  }
  return { done: [...new Set(done)], left: [...new Set(left)] };
}

/** The system's own tools read a file: a copy that no program of the user can change after it was checked. */
async function withCopy<T>(
  root: TrustedRoot,
  isNeeded: boolean,
  work: (root: TrustedRoot) => Promise<T>,
): Promise<T> {
  if (!isNeeded) return work(root);
  const folder = mkdtempSync(path.join(tmpdir(), 'content-security-agent-'));
  try {
    const copy = path.join(folder, 'root.pem');
    writeFileSync(copy, root.pem, { mode: 0o644 });
    return await work({ ...root, path: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every program of the user can write the file, and an administrator installs what it contains. */
function requireOwnRoot({ files, settings }: Parts): TrustedRoot {
  const root = readInstallableRoot(files) ?? requireRoot({ files });
  const problem = rootProblem(root.pem, allowedHosts(files, settings));
  if (problem === null) return root;
  throw new AgentError(
    `The certificate ${root.path} is not as the agent made it (${problem}), so it was not installed: unenroll this computer and enroll it again.`,
  );
}

const isKnown = hostMatcher([
  ...certificateNames(AI_DOMAINS, AI_HOSTS),
  ...AI_DOMAINS.map((domain) => `*.${domain}`),
]);

/** What the organization and the settings add: who installs it has to see names that the agent does not know itself. */
function ownNames({ pem }: TrustedRoot): readonly string[] {
  const names = constrainedNames(pem).filter((name) => !isKnown(name));
  return names.length === 0 ? [] : [`Beside known AI vendors, the certificate covers: ${names.join(', ')}.`];
}

function requireRoot({ files }: Pick<AgentParts, 'files'>) {
  const root = readTrustedRoot(files);
  if (root !== null) return root;
  throw new AgentError('This computer has no certificate: enroll it first.');
}
