import type { VaultState } from './vault.ts';

/** Runs a command; never rejects. `code` is null if it could not be started. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: { readonly timeoutMs?: number },
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

const TIMEOUT_MS = 5_000;
const SERVICE = 'org.freedesktop.secrets';
const ROOT = '/org/freedesktop/secrets';

/**
 * Reads the state of the Secret Service's default collection from the session bus (freedesktop.org Secret Service API).
 * Called before every access: a locked collection looks empty, and without a bus the keychain library falls back to the
 * kernel's keyring, which is lost at the next start. `hasBus`: the environment names one.
 */
export async function readSecretServiceState(run: RunCommand, hasBus = true): Promise<VaultState> {
  if (!hasBus) return absent('This session has no keychain, because it has no session bus (D-Bus).');
  const call = (object: string, method: string, ...args: string[]) =>
    run(
      'gdbus',
      ['call', '--session', '--dest', SERVICE, '--object-path', object, '--method', method, ...args],
      { timeoutMs: TIMEOUT_MS },
    );
  const alias = await call(ROOT, 'org.freedesktop.Secret.Service.ReadAlias', 'default');
  if (alias.code === null) {
    return unavailable('The keychain cannot be used because the program "gdbus" (GLib) cannot be run.');
  }
  if (alias.code !== 0) return stateAfterError(alias.stderr);
  const collection = /'([^']*)'/.exec(alias.stdout)?.[1];
  if (collection === undefined || collection === '/') {
    return unavailable(
      'This user has no default keychain yet. Create one named "Login" in the password app of the system.',
    );
  }
  const locked = await call(
    collection,
    'org.freedesktop.DBus.Properties.Get',
    'org.freedesktop.Secret.Collection',
    'Locked',
  );
  if (locked.code !== 0) return stateAfterError(locked.stderr);
  return locked.stdout.includes('true')
    ? {
        kind: 'locked',
        reason: 'The keychain is locked. Unlock it by signing in; the agent then continues automatically.',
      }
    : { kind: 'ok' };
}

function stateAfterError(stderr: string): VaultState {
  return /ServiceUnknown|NameHasNoOwner|was not provided by any/.test(stderr)
    ? absent('This computer has no keychain such as gnome-keyring or KWallet.')
    : unavailable(
        'The keychain cannot be reached because the session bus (D-Bus) does not respond. Start the agent from a desktop session.',
      );
}

function absent(reason: string): VaultState {
  return { kind: 'unavailable', reason, isAbsent: true };
}

function unavailable(reason: string): VaultState {
  return { kind: 'unavailable', reason };
}
