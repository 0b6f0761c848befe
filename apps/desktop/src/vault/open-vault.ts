import { createFileVault } from './file-vault.ts';
import { createKeychainVault, type Keychain } from './keychain-vault.ts';
import { type RunCommand, readSecretServiceState } from './secret-service.ts';
import type { Vault, VaultState } from './vault.ts';

export interface VaultOptions {
  /** `file` only where somebody asked for it. */
  readonly kind: 'keychain' | 'file';
  readonly platform: NodeJS.Platform;
  /** Of the installation: the folder of its state. */
  readonly stateDir: string;
  readonly run: RunCommand;
}

const SERVICE = 'content-security-agent';

export async function openVault(options: VaultOptions): Promise<Vault> {
  if (options.kind === 'file') return createFileVault(options.stateDir);
  let keychain: Keychain;
  try {
    // Loaded here: where its binary does not fit the machine, commands that need no secret still work.
    keychain = (await import('keytar/keytar.js')).default as Keychain;
  } catch (error) {
    const reason = `The keychain library cannot be loaded (${(error as NodeJS.ErrnoException).code ?? 'unknown'}): install the agent again.`;
    return unusable(reason);
  }
  const state = (): Promise<VaultState> =>
    options.platform === 'linux'
      ? readSecretServiceState(options.run)
      : // macOS and Windows unlock with the session, and say so themselves where they do not.
        Promise.resolve({ kind: 'ok' });
  return createKeychainVault({ keychain, state, service: `${SERVICE}:${options.stateDir}` });
}

function unusable(reason: string): Vault {
  const problem = { kind: 'unavailable', reason } as const;
  const say = async () => problem;
  return { place: 'the keychain of the system', state: say, read: say, write: say, remove: say };
}
