/** `test/golden/coverage.json`: which tests run the source files that have no test of their own name. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface TestedBy {
  /** Percentage of the statements in functions of the source, 0 to 100, rounded down. */
  readonly percent: number;
  /** The test that runs most of them, or the few tests that do so together. */
  readonly by: readonly string[];
}

/** By source file. */
export type Coverage = Readonly<Record<string, TestedBy>>;

export interface TestRun {
  readonly test: string;
  /** For each source file that it ran in part: 1 or 0 for each statement. */
  readonly ran: ReadonlyMap<string, Uint8Array>;
}

/** Minimum coverage of a source file without a test of its own by other tests. */
export const MIN_PERCENT = 70;
/** Below this percentage, additional tests are named. */
export const ENOUGH_PERCENT = 80;
export const COVERAGE_FILE = 'test/golden/coverage.json';

/** Among tests this close to the best one, a more specific test is preferred. */
const NEARLY_PERCENT = 5;
const MAX_TESTS = 3;

export function percentOf(ran: Uint8Array): number {
  let count = 0;
  for (const one of ran) count += one;
  return ran.length === 0 ? 100 : Math.floor((100 * count) / ran.length);
}

/** Returns the statements that ran in any of them. */
export function union(all: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = all;
  const ran = Uint8Array.from(first ?? []);
  for (const other of others) for (const [index, one] of other.entries()) ran[index]! |= one;
  return ran;
}

/**
 * Chooses the test that runs most of a source, and if that is too little, those that add most to it. Among nearly equal
 * tests it prefers the one that runs the fewest files.
 */
export function chooseTests(source: string, runs: readonly TestRun[]): TestedBy | undefined {
  const left = runs.filter(({ ran }) => ran.has(source));
  const chosen: TestRun[] = [];
  let percent = 0;
  while (percent < ENOUGH_PERCENT && chosen.length < MAX_TESTS) {
    const together = left.map((run) => ({
      run,
      percent: percentOf(union([...chosen, run].map(({ ran }) => ran.get(source)!))),
    }));
    const most = Math.max(...together.map((one) => one.percent));
    const [best] = together
      .filter((one) => one.percent > percent && one.percent >= most - NEARLY_PERCENT)
      .sort(({ run: a }, { run: b }) => a.ran.size - b.ran.size || a.test.localeCompare(b.test));
    if (best === undefined) break;
    percent = best.percent;
    chosen.push(best.run);
  }
  return chosen.length === 0 ? undefined : { percent, by: chosen.map(({ test }) => test) };
}

/**
 * Merges the coverage of `sources` with a run of some tests: their results replace those of sources that named one of
 * them, or that they cover better than before; the rest stays. Tests that `known` names must exist.
 */
export function mergeCoverage(
  known: Coverage,
  sources: readonly string[],
  runs: readonly TestRun[],
): Coverage {
  const merged = sources.flatMap((source): [string, TestedBy][] => {
    const before = known[source];
    const now = chooseTests(source, runs);
    const isRenewed = before?.by.every((test) => runs.some((run) => run.test === test)) ?? true;
    const entry = before !== undefined && !isRenewed && before.percent >= (now?.percent ?? 0) ? before : now;
    return entry === undefined ? [] : [[source, entry]];
  });
  return Object.fromEntries(merged.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function readTestedBy(root: string): Coverage {
  return JSON.parse(readFileSync(path.join(root, COVERAGE_FILE), 'utf8')) as Coverage;
}

/** Writes one line per source. */
export function writeTestedBy(root: string, coverage: Coverage): void {
  const lines = Object.entries(coverage).map(
    ([source, entry]) => `  ${JSON.stringify(source)}: ${JSON.stringify(entry)}`,
  );
  writeFileSync(path.join(root, COVERAGE_FILE), `{\n${lines.join(',\n')}\n}\n`);
}
