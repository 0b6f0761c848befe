import type { VaultState } from './vault.ts';

/** Runs a command; never rejects. `code` is null where it could not be started. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: { readonly timeoutMs?: number },
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

const TIMEOUT_MS = 5_000;
const SERVICE = 'org.freedesktop.secrets';
const ROOT = '/org/freedesktop/secrets';

/**
 * What the Secret Service on the session bus says of its default collection (freedesktop.org Secret Service API).
 * Asked before every access: a locked collection reads as if nothing were in it, and without a bus the keychain
 * library falls back to the kernel's keyring, which forgets everything at the next start.
 */
export async function readSecretServiceState(run: RunCommand): Promise<VaultState> {
  const call = (object: string, method: string, ...args: string[]) =>
    run(
      'gdbus',
      ['call', '--session', '--dest', SERVICE, '--object-path', object, '--method', method, ...args],
      { timeoutMs: TIMEOUT_MS },
    );
  const alias = await call(ROOT, 'org.freedesktop.Secret.Service.ReadAlias', 'default');
  if (alias.code === null) {
    return unavailable('The keychain cannot be asked because the program "gdbus" (GLib) cannot be run.');
  }
  if (alias.code !== 0) return unavailable(sentenceOf(alias.stderr));
  const collection = /'([^']*)'/.exec(alias.stdout)?.[1];
  if (collection === undefined || collection === '/') {
    return unavailable(
      'This user has no default keychain yet: make one called "Login" in the system\'s password program.',
    );
  }
  const locked = await call(
    collection,
    'org.freedesktop.DBus.Properties.Get',
    'org.freedesktop.Secret.Collection',
    'Locked',
  );
  if (locked.code !== 0) return unavailable(sentenceOf(locked.stderr));
  return locked.stdout.includes('true')
    ? {
        kind: 'locked',
        reason: 'The keychain is locked: unlock it by signing in, and the agent goes on by itself.',
      }
    : { kind: 'ok' };
}

function sentenceOf(stderr: string): string {
  return /ServiceUnknown|NameHasNoOwner|was not provided by any/.test(stderr)
    ? 'This computer has no keychain: install a Secret Service such as gnome-keyring or KWallet.'
    : 'The keychain cannot be reached because there is no session bus (D-Bus): start the agent from a desktop session.';
}

function unavailable(reason: string): VaultState {
  return { kind: 'unavailable', reason };
}
