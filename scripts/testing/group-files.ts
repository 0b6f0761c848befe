import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of small tests: they start few processes, which are commands that end by themselves. */
const SMALL: Readonly<Record<string, number>> = {
  ...{ cloud: 12, conformance: 12, dashboard: 12, desktop: 12, shared: 12 },
  ...{ 'scripts/detector': 12, 'scripts/mutation': 12, 'scripts/structure': 12 },
  e2e: 4,
};
/** Hooks and settings of the whole process, or an asynchronous load: such a file needs a process of its own. */
const NOT_SMALL = [
  ...['cloud/detection-workers/', 'cloud/files/', 'desktop/network/', 'desktop/supervisor/'],
  ...['canary', 'crash', 'dashboard', 'demo', 'deployment', 'faults', 'four', 'load'].map(
    (name) => `e2e/${name}`,
  ),
  ...['opentelemetry', 'recipe', 'routes', 'truth', 'webhook-deliveries'].map((name) => `e2e/${name}`),
  ...['costs', 'files', 'routes'].map((name) => `e2e/hostile-${name}`),
  ...['agent-machine', 'bad-input', 'exactly-once', 'faults', 'requests', 'window'].map(
    (name) => `e2e/desktop-${name}`,
  ),
];
/** Groups test files, given relative to `root`, that share a process: neighbors in a folder of small tests. */
const NEEDS_PROCESS = /process\.(?:env\[[^\]]+\] = |chdir\(|on\(|once\(|exit)/;

type Group = [string, ...string[]];

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
  return file.startsWith(path.join('test', name));
}
