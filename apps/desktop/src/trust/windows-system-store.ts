import type { RunCommand, TrustStore } from './trust-store.ts';

const TOOL = 'certutil.exe';

/** Windows: the computer's list of trusted roots, which Edge, Chrome, curl and .NET use. Needs an administrator. */
export function createWindowsSystemStore(run: RunCommand): TrustStore {
  return {
    name: 'system',
    async state(root) {
      const found = await run(TOOL, ['-store', 'Root', root.sha1]);
      if (found.code === null) return { kind: 'unavailable', reason: 'certutil.exe cannot be started.' };
      return found.code === 0 ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      const added = await run(TOOL, ['-addstore', '-f', 'Root', root.path]);
      if (added.code === 0) return { kind: 'done' };
      if (added.code === null) return { kind: 'unavailable', reason: 'certutil.exe cannot be started.' };
      return { kind: 'failed', reason: reasonOf(added.stdout) };
    },
    async remove(root) {
      const state = await this.state(root);
      if (state.kind === 'unavailable') return state;
      if (state.kind === 'absent') return { kind: 'done' };
      const removed = await run(TOOL, ['-delstore', 'Root', root.sha1]);
      return removed.code === 0 ? { kind: 'done' } : { kind: 'failed', reason: reasonOf(removed.stdout) };
    },
  };
}

/** The tool writes to standard output in the user's language; only the number is stable. */
function reasonOf(stdout: string): string {
  if (stdout.includes('0x80070005')) return 'Only an administrator can change the list of trusted roots.';
  return `The list of trusted roots was not changed: ${stdout.trim().split('\n').at(-1) ?? ''}`;
}
