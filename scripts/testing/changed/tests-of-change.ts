import type { ReachMap } from './reach-map.ts';
import type { Names } from './static-reach.ts';

export interface Project {
  readonly tests: readonly string[];
  /** All sources, tests among them. */
  readonly files: readonly string[];
  readonly reach: ReachMap;
  readonly namesOf: Names;
  /** The digests of functions of a changed file that are as they were, and of what is outside of them. */
  readonly unchangedOf: (file: string) => ReadonlySet<string>;
  /** The digests of what in a file uses nothing of another one that it names. */
  readonly untouchedBy: (file: string, other: string) => ReadonlySet<string>;
}

/** What every test depends on. */
const ALL_TESTS = /^(?:package(?:-lock)?\.json|tsconfig\.json|scripts\/test\.ts|scripts\/testing\/.*)$/;

/**
 * Returns the tests that a change of these files can reach: themselves, those that ran a changed function of them or, if
 * more than functions changed, any function, those that import them, and those that were never recorded. A file of which
 * no function ever ran (a new one, or data) counts as a change of what uses it in the files that name it.
 */
export function testsOfChange(changed: readonly string[], project: Project): string[] {
  const { tests, reach, unchangedOf, untouchedBy } = project;
  if (changed.some((file) => ALL_TESTS.test(file))) return [...tests];
  const known = new Set(tests);
  const found = new Set(tests.filter((test) => !reach.has(test)));
  const seen = new Set<string>();
  const waiting = changed.map((file) => ({ file, kept: () => unchangedOf(file) }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { file, kept } = next;
    if (known.has(file)) found.add(file);
    const runners = tests.filter((test) => reach.get(test)?.has(file));
    for (const test of without(kept, file, runners, reach)) found.add(test);
    if (seen.has(file)) continue;
    seen.add(file);
    const namers = namersOf(file, project);
    for (const namer of namers) if (known.has(namer)) found.add(namer);
    if (runners.length > 0) continue;
    waiting.push(...namers.map((namer) => ({ file: namer, kept: () => untouchedBy(namer, file) })));
  }
  return tests.filter((test) => found.has(test));
}

/** Leaves out the tests that ran only what was kept of a file. */
function without(
  kept: () => ReadonlySet<string>,
  file: string,
  runners: readonly string[],
  reach: ReachMap,
): readonly string[] {
  if (runners.length === 0) return runners;
  const digests = kept();
  return runners.filter((test) => [...reach.get(test)!.get(file)!].some((digest) => !digests.has(digest)));
}

function namersOf(file: string, { files, namesOf }: Project): string[] {
  return files.filter((other) => other !== file && namesOf(other).includes(file));
}
