import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of small tests, which start few processes or none. */
const SMALL = new Set(['cloud', 'conformance', 'dashboard', 'shared']);
const AT_MOST = 8;
/** Hooks and settings of the whole process: such a file shares it with no other. */
const NEEDS_PROCESS =
  /^(?:before|after|beforeEach|afterEach)\(|process\.(?:env\[[^\]]+\] = |chdir\(|on\(|once\(|exit)/m;

type Group = [string, ...string[]];

/** Test files, given relative to `root`, in the groups that share a process: neighbors in a folder of small tests. */
export function groupFiles(root: string, files: readonly string[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const relative of files) {
    const file = path.join(root, relative);
    const folder = relative.split(path.sep)[1] ?? '';
    const isShared = SMALL.has(folder) && !NEEDS_PROCESS.test(readFileSync(file, 'utf8'));
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
