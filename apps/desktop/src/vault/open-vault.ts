import { createFileVault } from './file-vault.ts';
import { createKeychainVault, type Keychain } from './keychain-vault.ts';
import { type RunCommand, readSecretServiceState } from './secret-service.ts';
import type { Vault, VaultKind, VaultState } from './vault.ts';

export interface VaultOptions {
  /** `auto`: the keychain, or files if this computer has none. */
  readonly kind: VaultKind | 'auto';
  readonly platform: NodeJS.Platform;
  /** Identifies the installation: the folder of its state. */
  readonly stateDir: string;
  readonly run: RunCommand;
  /** True if the environment names a session bus. */
  readonly hasBus: boolean;
}

const SERVICE = 'content-security-agent';

export async function openVault(options: VaultOptions): Promise<Vault> {
  if (options.kind === 'file') return createFileVault(options.stateDir);
  const keychain = await openKeychain(options);
  if (options.kind === 'keychain') return keychain;
  // A keychain that is locked or broken may recover: files replace it only if there is none.
  const now = await keychain.state();
  return now.kind === 'unavailable' && now.isAbsent ? createFileVault(options.stateDir) : keychain;
}

async function openKeychain({ platform, run, hasBus, stateDir }: VaultOptions): Promise<Vault> {
  let keychain: Keychain;
  try {
    // Loaded late: if its binary does not fit the computer, commands that need no secret still work.
    keychain = (await import('keytar/keytar.js')).default as Keychain;
  } catch (error) {
    const reason = `The keychain library cannot be loaded (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Reinstall the agent.`;
    return unusable(reason);
  }
  const state = (): Promise<VaultState> =>
    platform === 'linux'
      ? readSecretServiceState(run, hasBus)
      : // macOS and Windows unlock the keychain with the session, and report errors themselves.
        Promise.resolve({ kind: 'ok' });
  return createKeychainVault({ keychain, state, service: `${SERVICE}:${stateDir}` });
}

function unusable(reason: string): Vault {
  const problem = { kind: 'unavailable', reason } as const;
  const unavailable = async () => problem;
  return {
    kind: 'keychain',
    location: 'the keychain of the system',
    state: unavailable,
    read: unavailable,
    write: unavailable,
    remove: unavailable,
  };
}
