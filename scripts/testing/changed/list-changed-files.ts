import { spawnSync } from 'node:child_process';

/** Returns the files that differ from the revision, committed or not, new ones among them; a string says why not. */
export function listChangedFiles(root: string, base: string): readonly string[] | string {
  const changed = git(root, ['diff', '--name-only', '--no-renames', base, '--']);
  if (typeof changed === 'string') return changed;
  const fresh = git(root, ['ls-files', '--others', '--exclude-standard']);
  return typeof fresh === 'string' ? fresh : [...changed, ...fresh];
}

/** Returns the text of a file in a revision; empty if it was not there. */
export function readRevision(root: string, base: string, file: string): string {
  const { status, stdout } = spawnSync('git', ['show', `${base}:${file}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return status === 0 ? stdout : '';
}

function git(root: string, args: readonly string[]): readonly string[] | string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) return `git says: ${(error?.message ?? stderr).trim()}`;
  return stdout.split('\n').filter((line) => line !== '');
}
