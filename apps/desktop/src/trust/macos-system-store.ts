import type { RunCommand, TrustStore } from './trust-store.ts';

const KEYCHAIN = '/Library/Keychains/System.keychain';
const TOOL = '/usr/bin/security';

/** macOS: the System keychain, which Safari, Chrome, curl and (by setting) Firefox follow. */
export function createMacosSystemStore(run: RunCommand): TrustStore {
  const find = (commonName: string) =>
    run(TOOL, ['find-certificate', '-a', '-Z', '-c', commonName, KEYCHAIN]);
  return {
    name: 'system',
    async state(root) {
      const found = await find(root.commonName);
      if (found.code === null) return { kind: 'unavailable', reason: 'The tool "security" is missing.' };
      const hashes = [...found.stdout.matchAll(/^SHA-1 hash: ([0-9A-F]{40})$/gm)].map((match) => match[1]);
      return hashes.includes(root.sha1) ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      const added = await run(TOOL, [
        'add-trusted-cert',
        '-d',
        '-r',
        'trustRoot',
        '-p',
        'ssl',
        '-k',
        KEYCHAIN,
        root.path,
      ]);
      if (added.code === 0) return { kind: 'done' };
      if (added.code === null) return { kind: 'unavailable', reason: 'The tool "security" is missing.' };
      return { kind: 'failed', reason: reasonOf(added.stderr) };
    },
    async remove(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      if (state.kind === 'absent') return { kind: 'done' };
      // Removes the trust settings first: they cannot be addressed once the certificate is gone.
      await run(TOOL, ['remove-trusted-cert', '-d', root.path]);
      const removed = await run(TOOL, ['delete-certificate', '-Z', root.sha1, KEYCHAIN]);
      return removed.code === 0 ? { kind: 'done' } : { kind: 'failed', reason: reasonOf(removed.stderr) };
    },
  };
}

function reasonOf(stderr: string): string {
  if (/cancell?ed/i.test(stderr)) return 'The password dialog was cancelled. Allow the change and try again.';
  // Since macOS 11, for a process that was not started by a user in a terminal or window.
  if (/no user interaction|authorization was denied/i.test(stderr)) {
    return 'macOS did not allow the agent to change trust settings. Run "sudo agent ca install" in Terminal, or have device management install the profile that "agent ca --profile" prints.';
  }
  return `The System keychain was not changed: ${stderr.trim().split('\n', 1)[0] || 'no reason given'}. Run the command as an administrator.`;
}
