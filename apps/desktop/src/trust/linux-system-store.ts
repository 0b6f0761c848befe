import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunCommand, StoreOutcome, TrustStore } from './trust-store.ts';

/** The same name on every computer; hooks of other stores derive their names from it. */
const SYSTEM_FILE = 'content-security-agent.crt';

export interface SystemStorePaths {
  /** The folder of an administrator's certificates. */
  readonly anchors: string;
  readonly command: string;
  readonly addArgs: readonly string[];
  /** `--fresh`: without it a link to the removed file would stay. */
  readonly removeArgs: readonly string[];
}

export const DEBIAN_PATHS: SystemStorePaths = {
  anchors: '/usr/local/share/ca-certificates',
  command: 'update-ca-certificates',
  addArgs: [],
  removeArgs: ['--fresh'],
};
export const FEDORA_PATHS: SystemStorePaths = {
  anchors: '/etc/pki/ca-trust/source/anchors',
  command: 'update-ca-trust',
  addArgs: ['extract'],
  removeArgs: ['extract'],
};

/** The store of the distribution: curl, Python, git, and Java on Debian follow it; browsers and Node do not. */
export function createLinuxSystemStore(run: RunCommand, paths: SystemStorePaths): TrustStore {
  const file = path.join(paths.anchors, SYSTEM_FILE);

  async function update(args: readonly string[]): Promise<StoreOutcome> {
    const result = await run(paths.command, args);
    if (result.code === 0) return { kind: 'done' };
    const why = result.stderr.trim().split('\n').at(-1) || `code ${result.code}`;
    return { kind: 'failed', reason: `${paths.command} failed (${why}). Run it as an administrator.` };
  }

  return {
    name: 'system',
    async state(root) {
      if (!existsSync(paths.anchors)) return unavailable(paths);
      return existsSync(file) && pemMatches(readFileSync(file, 'utf8'), root.pem)
        ? { kind: 'installed' }
        : { kind: 'absent' };
    },
    async install(root) {
      if (!existsSync(paths.anchors)) return unavailable(paths);
      try {
        writeFileSync(file, root.pem, { mode: 0o644 });
      } catch (error) {
        return { kind: 'failed', reason: writeProblem(paths.anchors, error) };
      }
      const updated = await update(paths.addArgs);
      if (updated.kind !== 'done') rmSync(file, { force: true });
      return updated;
    },
    async remove() {
      if (!existsSync(file)) return { kind: 'done' };
      try {
        rmSync(file);
      } catch (error) {
        return { kind: 'failed', reason: writeProblem(paths.anchors, error) };
      }
      return update(paths.removeArgs);
    },
  };
}

function unavailable({ anchors }: SystemStorePaths): { kind: 'unavailable'; reason: string } {
  return { kind: 'unavailable', reason: `This system has no ${anchors}.` };
}

function writeProblem(folder: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM'
    ? `Only an administrator can change ${folder}. Run "agent ca install" as an administrator.`
    : `${folder} cannot be changed (${code}).`;
}

/** True for the same certificate, regardless of line breaks. */
function pemMatches(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, '');
}
