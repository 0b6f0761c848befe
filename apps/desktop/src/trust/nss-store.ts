import { existsSync, globSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RunCommand, StoreOutcome, TrustStore } from './trust-store.ts';

const NICKNAME = 'Content Security Agent';

/** Since version 146 Chromium on Linux uses `.local/share`, unless the older folder exists. */
function nssFolder(home: string): string {
  const old = path.join(home, '.pki', 'nssdb');
  return existsSync(old) ? old : path.join(home, '.local', 'share', 'pki', 'nssdb');
}

/** Browsers from Snap and Flatpak see only their own folders, which exist after their first start. */
function sandboxedFolders(home: string): readonly string[] {
  const kinds = [path.join(home, 'snap', '*', 'current'), path.join(home, '.var', 'app', '*')];
  const databases = kinds.map((kind) => path.join(kind, '.pki', 'nssdb', 'cert9.db'));
  return globSync(databases).map((file) => path.dirname(file));
}

const MISSING = {
  kind: 'unavailable',
  reason: 'Chromium needs the tool "certutil" (package libnss3-tools or nss-tools).',
} as const;

/** NSS, the stores of Chromium on Linux. `certutil` here is the NSS tool, not the Windows one. */
export function createNssStore(run: RunCommand, home: string): TrustStore {
  const folders = () =>
    [nssFolder(home), ...sandboxedFolders(home)].map((folder) => createFolder(run, folder));
  return {
    name: 'nss',
    /** Installed means installed in all of them. */
    async state(root) {
      for (const folder of folders()) {
        const state = await folder.state(root);
        if (state.kind !== 'installed') return state;
      }
      return { kind: 'installed' };
    },
    async install(root) {
      for (const folder of folders()) {
        const outcome = await folder.install(root);
        if (outcome.kind !== 'done') return outcome;
      }
      return { kind: 'done' };
    },
    async remove(root) {
      let last: StoreOutcome = { kind: 'done' };
      for (const folder of folders()) {
        const outcome = await folder.remove(root);
        if (outcome.kind !== 'done') last = outcome;
      }
      return last;
    },
  };
}

function createFolder(run: RunCommand, folder: string): Omit<TrustStore, 'name'> {
  const certutil = (args: readonly string[]) => run('certutil', ['-d', `sql:${folder}`, ...args]);
  return {
    async state(root) {
      const found = await certutil(['-L', '-n', nicknameOf(root.sha1)]);
      if (found.code === null) return MISSING;
      return found.code === 0 ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      if (!existsSync(path.join(folder, 'cert9.db'))) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const made = await certutil(['-N', '--empty-password']);
        if (made.code === null) return MISSING;
        if (made.code !== 0)
          return { kind: 'failed', reason: `${folder} cannot be created: ${made.stderr.trim()}` };
      }
      const added = await certutil(['-A', '-t', 'C,,', '-n', nicknameOf(root.sha1), '-i', root.path]);
      if (added.code === null) return MISSING;
      if (added.code === 0) return { kind: 'done' };
      return { kind: 'failed', reason: `Chromium's store ${folder} was not changed: ${added.stderr.trim()}` };
    },
    async remove(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      if (state.kind === 'absent') return { kind: 'done' };
      const removed = await certutil(['-D', '-n', nicknameOf(root.sha1)]);
      if (removed.code === 0) return { kind: 'done' };
      return {
        kind: 'failed',
        reason: `Chromium's store ${folder} was not changed: ${removed.stderr.trim()}`,
      };
    },
  };
}

function nicknameOf(sha1: string): string {
  return `${NICKNAME} ${sha1.slice(0, 8)}`;
}
