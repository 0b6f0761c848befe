import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Group } from './run-groups.ts';

/** Folders of small tests, and how many files share a process. What they start ends by itself. */
const SMALL: Readonly<Record<string, number>> = {
  ...{ cloud: 60, conformance: 12, dashboard: 12, desktop: 40, lab: 30, scripts: 40, shared: 40 },
  e2e: 6,
};
const named = (start: string, ...names: readonly string[]) => names.map((name) => start + name);
/** Beginnings of paths: these tests take long, measure their process, or set what a process has only one of. */
const NOT_SMALL = [
  ...named('cloud/', 'files/file-reader', 'run-process', 'run-workers'),
  ...named('desktop/', 'network/', 'supervisor/'),
  ...named(
    'e2e/',
    'canary',
    'crash',
    'demo',
    'deployment',
    'faults',
    'four',
    'load',
    'opentelemetry',
    'recipe',
  ),
  ...named('e2e/', 'routes', 'truth', 'webhook-deliveries'),
  ...named('e2e/dashboard', '-budget', '-pages', '.'),
  ...named('e2e/desktop-', 'agent-machine', 'bad-input', 'exactly-once', 'faults', 'requests', 'window'),
  ...named('e2e/hostile-', 'costs', 'files', 'routes'),
  ...named('lab/', 'clients', 'coverage/', 'crash', 'desktop', 'fuzz', 'mutate', 'soak'),
  ...named('scripts/', 'bootstrap', 'desktop', 'pack', 'testing/'),
];
/** Settings of the whole process: such a file needs a process of its own. */
const NEEDS_PROCESS = /process\.(?:env\[[^\]]+\] = |chdir\(|on\(|once\(|exit)/;

/** Test files, given relative to `root`, in the groups that share a process: neighbors in a folder of small tests. */
export function groupFiles(root: string, files: readonly string[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const relative of files) {
    const file = path.join(root, relative);
    const folder = Object.keys(SMALL).find((name) => beginsWith(relative, `${name}/`)) ?? '';
    const isShared =
      folder !== '' &&
      !NOT_SMALL.some((name) => beginsWith(relative, name)) &&
      !NEEDS_PROCESS.test(readFileSync(file, 'utf8'));
    const group = isShared ? open.get(folder) : undefined;
    if (group !== undefined && group.length < (SMALL[folder] ?? 1)) {
      group.push(file);
      continue;
    }
    const fresh: Group = [file];
    groups.push(fresh);
    if (isShared) open.set(folder, fresh);
  }
  return groups;
}

function beginsWith(file: string, name: string): boolean {
  const isLab = name.startsWith('lab/');
  return file.startsWith(
    path.join(isLab ? 'scripts/lab/test' : 'test', isLab ? name.slice('lab/'.length) : name),
  );
}
