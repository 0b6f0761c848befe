import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RunCommand, TrustStore } from './trust-store.ts';

const NICKNAME = 'Content Security Agent';

/** Chromium on Linux since 146 looks below `.local/share`, unless the older folder is there. */
function nssFolder(home: string): string {
  const old = path.join(home, '.pki', 'nssdb');
  return existsSync(old) ? old : path.join(home, '.local', 'share', 'pki', 'nssdb');
}

/** NSS, the store of Chromium on Linux. `certutil` here is the one of NSS, not the one of Windows. */
export function createNssStore(run: RunCommand, home: string): TrustStore {
  const certutil = (args: readonly string[]) => run('certutil', ['-d', `sql:${nssFolder(home)}`, ...args]);
  const missing = {
    kind: 'unavailable',
    reason: 'Chromium needs the tool "certutil" (package libnss3-tools or nss-tools).',
  } as const;

  return {
    name: 'nss',
    async state(root) {
      const found = await certutil(['-L', '-n', nicknameOf(root.sha1)]);
      if (found.code === null) return missing;
      return found.code === 0 ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      const folder = nssFolder(home);
      if (!existsSync(path.join(folder, 'cert9.db'))) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const made = await certutil(['-N', '--empty-password']);
        if (made.code === null) return missing;
        if (made.code !== 0)
          return { kind: 'failed', reason: `${folder} cannot be made: ${made.stderr.trim()}` };
      }
      const added = await certutil(['-A', '-t', 'C,,', '-n', nicknameOf(root.sha1), '-i', root.path]);
      if (added.code === null) return missing;
      if (added.code === 0) return { kind: 'done' };
      return { kind: 'failed', reason: `Chromium's store was not changed: ${added.stderr.trim()}` };
    },
    async remove(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      if (state.kind === 'absent') return { kind: 'done' };
      const removed = await certutil(['-D', '-n', nicknameOf(root.sha1)]);
      if (removed.code === 0) return { kind: 'done' };
      return { kind: 'failed', reason: `Chromium's store was not changed: ${removed.stderr.trim()}` };
    },
  };
}

function nicknameOf(sha1: string): string {
  return `${NICKNAME} ${sha1.slice(0, 8)}`;
}
