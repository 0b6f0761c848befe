import type { SecretName, Vault, VaultRead, VaultState } from './vault.ts';

/** keytar's functions, as provided by its maintained successor. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null | undefined>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface KeychainVaultOptions {
  readonly keychain: Keychain;
  /** Called before every access. */
  readonly state: () => Promise<VaultState>;
  /** Distinguishes the secrets of installations. */
  readonly service: string;
}

export function createKeychainVault({ keychain, state, service }: KeychainVaultOptions): Vault {
  /** The keychain may refuse an access while its state is `ok`: denied by the user, or locked just now. */
  const stateAfterError = async (error: unknown): Promise<VaultState> => {
    const now = await state();
    if (now.kind !== 'ok') return now;
    return {
      kind: 'unavailable',
      reason: `The keychain denied access: ${(error as Error).message.split('\n', 1)[0]}`,
    };
  };

  async function read(name: SecretName): Promise<VaultRead> {
    const now = await state();
    if (now.kind !== 'ok') return now;
    try {
      const secret = await keychain.getPassword(service, name);
      if (typeof secret === 'string') return { kind: 'ok', secret };
    } catch (error) {
      const problem = await stateAfterError(error);
      return problem.kind === 'ok' ? { kind: 'missing' } : problem;
    }
    // The keychain may have been locked since the first check.
    const after = await state();
    return after.kind === 'ok' ? { kind: 'missing' } : after;
  }

  return {
    kind: 'keychain',
    location: 'the keychain of the system',
    state,
    read,
    async write(name, secret) {
      const now = await state();
      if (now.kind !== 'ok') return now;
      try {
        await keychain.setPassword(service, name, secret);
      } catch (error) {
        return await stateAfterError(error);
      }
      const stored = await read(name);
      if (stored.kind === 'ok' && stored.secret === secret) return { kind: 'ok' };
      if (stored.kind === 'locked' || stored.kind === 'unavailable') return stored;
      return {
        kind: 'unavailable',
        reason: 'The keychain reported success, but did not store the credential.',
      };
    },
    async remove(name) {
      const now = await state();
      if (now.kind !== 'ok') return now;
      try {
        await keychain.deletePassword(service, name);
        return { kind: 'ok' };
      } catch (error) {
        const left = await read(name);
        return left.kind === 'missing' ? { kind: 'ok' } : stateAfterError(error);
      }
    },
  };
}
