import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of small tests: the few processes that they start are commands that end by themselves. */
const SMALL = [
  ...['cloud', 'conformance', 'dashboard', 'desktop', 'shared'],
  ...['scripts/detector', 'scripts/mutation', 'scripts/structure'],
];
const NOT_SMALL = ['cloud/detection-workers', 'cloud/files', 'desktop/network', 'desktop/supervisor'];
const AT_MOST = 12;
/** Hooks and settings of the whole process, or an asynchronous load: such a file shares it with no other. */
const NEEDS_PROCESS =
  /^(?:before|after|beforeEach|afterEach)\(|^(?:\S.*= )?await |process\.(?:env\[[^\]]+\] = |chdir\(|on\(|once\(|exit)/m;

type Group = [string, ...string[]];

/** Test files, given relative to `root`, in the groups that share a process: neighbors in a folder of small tests. */
export function groupFiles(root: string, files: readonly string[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const relative of files) {
    const file = path.join(root, relative);
    const folder = SMALL.find((name) => isIn(relative, name)) ?? '';
    const isShared =
      folder !== '' &&
      !NOT_SMALL.some((name) => isIn(relative, name)) &&
      !NEEDS_PROCESS.test(readFileSync(file, 'utf8'));
    const group = isShared ? open.get(folder) : undefined;
    if (group !== undefined && group.length < AT_MOST) {
      group.push(file);
      continue;
    }
    const fresh: Group = [file];
    groups.push(fresh);
    if (isShared) open.set(folder, fresh);
  }
  return groups;
}

function isIn(file: string, folder: string): boolean {
  return file.startsWith(path.join('test', folder) + path.sep);
}
