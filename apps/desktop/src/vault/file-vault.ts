import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SecretName, Vault, VaultState } from './vault.ts';

/** Secrets in files that only their owner may read: for computers without a keychain (servers, containers). */
export function createFileVault(folder: string): Vault {
  const fileOf = (name: SecretName): string => path.join(folder, `${name}.secret`);
  const attempt = (work: () => void): VaultState => {
    try {
      work();
      return { kind: 'ok' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { kind: 'unavailable', reason: `The folder of secrets ${folder} cannot be used (${code}).` };
    }
  };

  return {
    kind: 'file',
    location: `files below ${folder} that only this user may read`,
    state: async () => ({ kind: 'ok' }),
    async read(name) {
      let secret = '';
      const outcome = attempt(() => {
        try {
          secret = readFileSync(fileOf(name), 'utf8');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      });
      if (outcome.kind !== 'ok') return outcome;
      return secret === '' ? { kind: 'missing' } : { kind: 'ok', secret };
    },
    write: async (name, secret) =>
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const draft = `${fileOf(name)}.new`;
        writeFileSync(draft, secret, { mode: 0o600 });
        chmodSync(draft, 0o600);
        renameSync(draft, fileOf(name));
      }),
    remove: async (name) => attempt(() => rmSync(fileOf(name), { force: true })),
  };
}
