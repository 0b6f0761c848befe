import { readAllRoots, readInstallableRoot, readTrustedRoot } from '../host/device-root.ts';
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

type Parts = Pick<AgentParts, 'files' | 'stores'>;

/** Into every store that is here, or the one of this name. Throws AgentError where there is no certificate. */
export async function installCertificate(parts: Parts, store?: string): Promise<StoresReport> {
  return changeStores(onlyStore(parts, store), 'install', 'is trusted by');
}

export async function removeCertificate(parts: Parts, store?: string): Promise<StoresReport> {
  return changeStores(onlyStore(parts, store), 'remove', 'is not trusted any more by');
}

function onlyStore({ files, stores }: Parts, name: string | undefined): Parts {
  if (name === undefined) return { files, stores };
  const found = stores.filter((store) => store.name === name);
  if (found.length > 0) return { files, stores: found };
  const names = stores.map((store) => store.name).join(', ');
  throw new AgentError(`There is no store "${name}" here, only these: ${names}.`);
}

async function changeStores(parts: Parts, change: 'install' | 'remove', past: string): Promise<StoresReport> {
  requireRoot(parts);
  const done: string[] = [];
  const left: string[] = [];
  const installable = readInstallableRoot(parts.files);
  const roots = change === 'remove' || installable === null ? readAllRoots(parts.files) : [installable];
  for (const store of parts.stores) {
    for (const root of roots) {
      const outcome = await store[change](root);
      if (outcome.kind === 'done') done.push(`The certificate ${past} the ${store.name} store.`);
      if (outcome.kind === 'failed') left.push(outcome.reason);
      if (outcome.kind === 'unavailable') done.push(`${outcome.reason} (${store.name}: nothing to do)`);
    }
  }
  return { done: [...new Set(done)], left: [...new Set(left)] };
}

function requireRoot({ files }: Pick<AgentParts, 'files'>) {
  const root = readTrustedRoot(files);
  if (root !== null) return root;
  throw new AgentError('This computer has no certificate: enroll it first.');
}
