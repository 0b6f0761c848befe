import type { RunCommand, TrustStore } from './trust-store.ts';

const PASSWORD = 'changeit';
/** Alias that Debian's hook derives from the system store's file name, and does not remove. */
const DEBIAN_ALIAS = 'debian:content-security-agent.pem';

/** Java's own list of roots. `keystore` null: the one of the Java on the path. */
export function createJavaStore(run: RunCommand, keystore: string | null): TrustStore {
  const keystoreArguments = keystore === null ? ['-cacerts'] : ['-keystore', keystore];
  const keytool = (command: string, args: readonly string[]) =>
    run('keytool', [command, ...keystoreArguments, '-storepass', PASSWORD, ...args]);
  const missing = { kind: 'unavailable', reason: 'Java is not installed.' } as const;

  return {
    name: 'java',
    async state(root) {
      const found = await keytool('-list', ['-alias', aliasOf(root.sha1)]);
      if (found.code === null) return missing;
      return found.code === 0 ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      if (state.kind === 'installed') return { kind: 'done' };
      const added = await keytool('-importcert', [
        '-noprompt',
        '-alias',
        aliasOf(root.sha1),
        '-file',
        root.path,
      ]);
      return added.code === 0 ? { kind: 'done' } : { kind: 'failed', reason: reasonOf(added) };
    },
    async remove(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      await keytool('-delete', ['-alias', DEBIAN_ALIAS]);
      if (state.kind === 'absent') return { kind: 'done' };
      const removed = await keytool('-delete', ['-alias', aliasOf(root.sha1)]);
      return removed.code === 0 ? { kind: 'done' } : { kind: 'failed', reason: reasonOf(removed) };
    },
  };
}

function aliasOf(sha1: string): string {
  return `content-security-agent-${sha1.slice(0, 8).toLowerCase()}`;
}

function reasonOf({ stdout, stderr }: { stdout: string; stderr: string }): string {
  // The last line contains the error; earlier ones only announce the action.
  const why = (stderr.trim() || stdout.trim()).split('\n').at(-1);
  return `The certificate store of Java was not changed: ${why}`;
}
