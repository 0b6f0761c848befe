import type { ReachMap } from './reach-map.ts';
import type { Names } from './static-reach.ts';

export interface Project {
  readonly tests: readonly string[];
  /** All sources, tests among them. */
  readonly files: readonly string[];
  readonly reach: ReachMap;
  readonly namesOf: Names;
}

/** What every test depends on. */
const ALL_TESTS = /^(?:package(?:-lock)?\.json|tsconfig\.json|scripts\/test\.ts|scripts\/testing\/.*)$/;

/**
 * Returns the tests that a change of these files can reach: themselves, those that ran a function of them, those that
 * import them, and those that were never recorded. A file of which no function ever ran (a new one, or data) counts as
 * a change of the files that name it.
 */
export function testsOfChange(changed: readonly string[], project: Project): string[] {
  const { tests, reach } = project;
  if (changed.some((file) => ALL_TESTS.test(file))) return [...tests];
  const known = new Set(tests);
  const found = new Set(tests.filter((test) => !reach.has(test)));
  const seen = new Set<string>();
  const waiting = [...changed];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (known.has(file)) found.add(file);
    const runners = tests.filter((test) => reach.get(test)?.has(file));
    for (const test of runners) found.add(test);
    const namers = namersOf(file, project);
    for (const namer of namers) if (known.has(namer)) found.add(namer);
    if (runners.length === 0) waiting.push(...namers);
  }
  return tests.filter((test) => found.has(test));
}

function namersOf(file: string, { files, namesOf }: Project): string[] {
  return files.filter((other) => other !== file && namesOf(other).includes(file));
}
