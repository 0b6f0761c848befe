import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Group } from './run-groups.ts';

/**
 * Folders of small tests, and how many files share a process. What they start ends by itself. The folder whose groups
 * take longest is first: a long group that starts last would run alone.
 */
const SMALL: Readonly<Record<string, number>> = {
  ...{ e2e: 8, cloud: 60, conformance: 12, lab: 30, shared: 60, desktop: 40, scripts: 40, dashboard: 12 },
};
const named = (start: string, ...names: readonly string[]) => names.map((name) => start + name);
/** Beginnings of paths: these tests take long, measure their process, or set what a process has only one of. */
const NOT_SMALL = [
  ...named('cloud/', 'files/file-reader', 'run-process', 'run-workers'),
  ...named('desktop/', 'network/', 'supervisor/'),
  ...named('e2e/', 'dashboard-budget', 'hostile-files', 'load', 'opentelemetry-', 'routes'),
  ...named('lab/', 'clients', 'coverage/', 'crash', 'desktop', 'fuzz', 'mutate', 'soak'),
  ...named('scripts/', 'bootstrap', 'desktop', 'pack', 'testing/'),
];
/** Settings of the whole process: such a file needs a process of its own. */
const NEEDS_PROCESS = /process\.(?:env\[[^\]]+\] = |chdir\(|on\(|once\(|exit)/;

/**
 * Test files, given relative to `root`, in the groups that share a process: neighbors in a folder of small tests.
 * `spread`: the least number of groups of a folder that has so many files, for a few files on several processors.
 */
export function groupFiles(root: string, files: readonly string[], spread = 1): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  const shared = Map.groupBy(files, (file) => (isSmall(root, file) ? folderOf(file) : ''));
  const sizeOf = (folder: string): number =>
    Math.min(SMALL[folder] ?? 1, Math.ceil((shared.get(folder)?.length ?? 0) / spread));
  for (const relative of files) {
    const file = path.join(root, relative);
    const folder = folderOf(relative);
    const isShared = shared.get(folder)?.includes(relative) === true && folder !== '';
    const group = isShared ? open.get(folder) : undefined;
    if (group !== undefined && group.length < sizeOf(folder)) {
      group.push(file);
      continue;
    }
    const fresh: Group = [file];
    groups.push(fresh);
    if (isShared) open.set(folder, fresh);
  }
  const folders = Object.keys(SMALL);
  const rank = ([file]: Group): number => folders.indexOf(folderOf(path.relative(root, file)));
  return groups.sort((one, other) => rank(one) - rank(other));
}

function isSmall(root: string, file: string): boolean {
  return (
    folderOf(file) !== '' &&
    !NOT_SMALL.some((name) => beginsWith(file, name)) &&
    !NEEDS_PROCESS.test(readFileSync(path.join(root, file), 'utf8'))
  );
}

/** One of the folders of small tests, or nothing. */
function folderOf(file: string): string {
  return Object.keys(SMALL).find((name) => beginsWith(file, `${name}/`)) ?? '';
}

function beginsWith(file: string, name: string): boolean {
  const isLab = name.startsWith('lab/');
  return file.startsWith(
    path.join(isLab ? 'scripts/lab/test' : 'test', isLab ? name.slice('lab/'.length) : name),
  );
}
