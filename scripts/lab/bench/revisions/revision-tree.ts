import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A revision's files with the packages of its own lock file. */
export interface RevisionTree {
  /** As it was asked for. */
  readonly revision: string;
  readonly folder: string;
}

/** Of the working tree, which is measured where it stands. */
export const HERE = 'here';

/**
 * The files of a revision below `cache`, made once. Revisions of one lock file share one `npm ci` by hard links.
 * Throws what git or npm says if there is no such revision, or no packages.
 */
export function revisionTree(root: string, cache: string, revision: string): RevisionTree {
  if (revision === HERE) return { revision, folder: root };
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-C', root, ...args], { maxBuffer: 2 ** 30 });
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`).toString().trim();
  const folder = path.join(cache, commit);
  if (existsSync(folder)) return { revision, folder };
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    execFileSync('tar', ['-x', '-C', unfinished], { input: git('archive', '--format=tar', commit) });
    addPackages(unfinished, cache);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return { revision, folder };
}

/** The folders of node_modules that npm makes: that of the root, and one of each workspace that needs other versions. */
function addPackages(tree: string, cache: string): void {
  const lock = readFileSync(path.join(tree, 'package-lock.json'));
  const store = path.join(cache, `packages-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (!existsSync(store)) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: tree, stdio: 'pipe' });
    const unfinished = `${store}.${process.pid}`;
    mkdirSync(unfinished);
    for (const folder of packageFolders(tree)) {
      mkdirSync(path.join(unfinished, path.dirname(folder)), { recursive: true });
      renameSync(path.join(tree, folder), path.join(unfinished, folder));
    }
    renameSync(unfinished, store);
  }
  for (const folder of packageFolders(store)) {
    execFileSync('cp', ['-al', path.join(store, folder), path.join(tree, folder)]);
  }
}

function packageFolders(tree: string): string[] {
  return ['.', 'apps/cloud', 'apps/desktop', 'apps/cloud/dashboard', 'shared', 'shared/client']
    .map((workspace) => path.join(workspace, 'node_modules'))
    .filter((folder) => existsSync(path.join(tree, folder)));
}

/** The commit that set the version in package.json last; undefined: none since there is a service. */
export function releasedRevision(root: string): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const [last] = git('log', '--format=%H', '-G^  "version":', '--', 'package.json').split('\n');
  const hasService = git('ls-tree', '--name-only', last ?? 'HEAD', 'apps/cloud/src/main.ts') !== '';
  return last !== '' && hasService ? last : undefined;
}

const DAY_S = 24 * 60 * 60;

/** The last revision of the day before this one; undefined: there is none that old. */
export function revisionOfDayBefore(root: string): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, 'log', '-1', ...args], { encoding: 'utf8' }).trim();
  return git('--format=%H', `--until=${Number(git('--format=%ct')) - DAY_S}`) || undefined;
}
