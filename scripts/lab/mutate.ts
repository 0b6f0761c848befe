/**
 * `npm run lab -- mutate [--area flows] [--sample 25] [--seed 1] [--least 0.9] [--list]`
 *
 * Makes small changes to the code, one at a time in a copy of the project, and runs the tests to see whether they fail:
 * those nearest to the file first, then others that run the changed code. Surviving changes are printed with their
 * position. Exits with 1 if an area scores below `--least`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { listFiles } from '../structure/list-files.ts';
import { parseSource } from '../structure/parse-source.ts';
import { type ReachMap, readReachMap } from '../testing/changed/reach-map.ts';
import { openReach, type Reach } from '../testing/changed/static-reach.ts';
import { hasRun } from './mutation/coverage.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutation/mutants.ts';
import { type Covered, openSandbox, type Sandbox } from './mutation/sandbox.ts';
import { openStoredCoverage, type StoredCoverage } from './mutation/stored-coverage.ts';
import { type KnownTests, testsOf } from './mutation/tests-of.ts';

interface Area {
  /** Folders whose code decides, stores or inspects. */
  readonly folders: readonly string[];
  /** Folders of tests that may run it. */
  readonly tests: readonly string[];
  /** Files of it that are data. */
  readonly data?: RegExp;
  /** By folder: tests that run most of its code, tried right after the nearest ones. */
  readonly broad?: Readonly<Record<string, readonly string[]>>;
}

const readings = (...names: readonly string[]) =>
  names.map((name) => `test/conformance/readings/${name}.test.ts`);
const OF_BODIES = readings('entry-points', 'bodies');
const OF_TEXTS = readings('verdicts', 'public-functions', 'values', 'conversations', 'attacks', 'pieces');

export const AREAS: Readonly<Record<string, Area>> = {
  flows: {
    folders: ['apps/cloud/src/access', 'apps/cloud/src/flows'],
    tests: ['test/cloud', 'test/conformance'],
  },
  storage: {
    folders: ['apps/cloud/src/storage'],
    tests: ['test/cloud', 'test/conformance'],
    data: /\/(?:migrations|model)\//,
  },
  shared: {
    folders: ['shared/text', 'shared/providers', 'shared/detection'],
    tests: ['test/shared', 'test/conformance', 'test/desktop/inspect'],
    data: /\/(?:lexicon|rules|samples)\//,
    broad: {
      'shared/text/': [...OF_BODIES, ...OF_TEXTS],
      'shared/providers/': OF_BODIES,
      'shared/detection/': OF_TEXTS,
    },
  },
  inspection: { folders: ['apps/desktop/src/inspect'], tests: ['test/desktop', 'test/conformance'] },
};

const MIN_LIMIT_MS = 120_000;
/** Maximum number of other tests for one mutant, to limit its time. */
const MAX_OTHERS = 15;
const KEPT = 'node_modules/.cache/mutation';
const SOURCES = ['.ts', '.tsx', '.mjs', '.js', '.cjs'];
/** A test that takes this many times longer than without the change counts as hanging. */
const LIMIT_FACTOR = 5;

export interface AreaScore {
  readonly area: string;
  readonly killed: number;
  readonly hung: number;
  readonly survivors: readonly Mutant[];
  /** Mutants in code that no test runs. */
  readonly untested: readonly Mutant[];
}

export function scoreOf({ killed, hung, survivors, untested }: AreaScore): number {
  const all = killed + hung + survivors.length + untested.length;
  return all === 0 ? 1 : (killed + hung) / all;
}

/** Selects mutants of an area by a seed, never two at the same position. */
export function sampleMutants(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed);
  const left = [...mutants];
  const chosen = new Map<string, Mutant>();
  while (chosen.size < count && left.length > 0) {
    const [mutant] = left.splice(random.below(left.length), 1);
    if (mutant !== undefined) chosen.set(`${mutant.file}:${mutant.start}`, mutant);
  }
  return [...chosen.values()];
}

/** The parts of the project that judging a mutant needs. */
interface Bench {
  readonly sandbox: Sandbox;
  readonly known: KnownTests;
  readonly reach: Reach;
  /** What tests ran when they were last recorded, for those that were: far less than they reach by imports. */
  readonly recorded: ReachMap;
  readonly kept: StoredCoverage;
  /** Duration of a group of tests without a change, NaN if it fails; filled on demand. */
  readonly unchangedMs: Map<string, number>;
}

async function judgeArea(
  area: string,
  files: readonly string[],
  mutants: readonly Mutant[],
  bench: Bench,
): Promise<AreaScore> {
  const { known, reach, kept } = bench;
  const verdicts = new Map<Mutant, MutantVerdict>();
  const asked = new Map<Mutant, number>();
  const judge = async (mutant: Mutant, tests: readonly string[]): Promise<void> => {
    const verdict = await judgeMutant(mutant, tests, bench);
    verdicts.set(mutant, verdict === 'untested' ? (verdicts.get(mutant) ?? verdict) : verdict);
    console.log(`${verdict.padEnd(9)} ${area.padEnd(10)} ${describeMutant(mutant)}`);
  };
  const { broad = {} } = AREAS[area]!;
  const nearTo = ({ file }: Mutant): readonly string[] => {
    const further = Object.entries(broad).flatMap(([folder, tests]) =>
      file.startsWith(folder) ? tests : [],
    );
    return [...new Set([...testsOf(file, known), ...further])];
  };
  /** The nearest tests, without those known not to run the code. */
  const nearest = (mutant: Mutant) =>
    nearTo(mutant).filter((test) => {
      const covered = kept.find(test, new Set([mutant.file]));
      return covered === undefined || hasRun(covered.coverage, mutant.file, mutant.start);
    });
  for (const mutant of mutants) await judge(mutant, nearest(mutant));
  const left = () =>
    mutants.filter((mutant) => isUnnoticed(verdicts.get(mutant)) && (asked.get(mutant) ?? 0) < MAX_OTHERS);
  /** Runs those of the tests that cover the code, the fastest first. */
  const askOthers = async (tests: readonly CoveredTest[]): Promise<void> => {
    for (const mutant of left()) {
      const near = nearTo(mutant);
      const before = asked.get(mutant) ?? 0;
      const others = tests
        .filter(({ test, coverage }) => !near.includes(test) && hasRun(coverage, mutant.file, mutant.start))
        .sort((one, other) => one.ms - other.ms)
        .slice(0, MAX_OTHERS - before);
      asked.set(mutant, before + others.length);
      if (others.length > 0)
        await judge(
          mutant,
          others.map(({ test }) => test),
        );
    }
  };
  const leftFiles = new Set(left().map(({ file }) => file));
  const tests = known.tests.filter((test) => {
    const reached = bench.recorded.get(test) ?? reach(test);
    return (
      AREAS[area]!.tests.some((folder) => test.startsWith(`${folder}/`)) &&
      [...leftFiles].some((file) => reached.has(file))
    );
  });
  console.log(
    `${area}: ${left().length} not detected; finding which of ${tests.length} tests execute that code`,
  );
  const found = tests.flatMap((test) => {
    const covered = kept.find(test, leftFiles);
    return covered === undefined ? [] : [{ ...covered, test }];
  });
  await askOthers(found);
  const missing = tests.filter((test) => !found.some((one) => one.test === test));
  const groups = [...bench.sandbox.groupsOf(nearestFirst(missing, leftFiles))];
  for (const group of groups) {
    if (left().length === 0) break;
    const { covered, unknown } = await coverGroup(group, new Set(files), bench);
    if (group.length > 1) groups.push(...unknown.map((test) => [test]));
    else for (const test of unknown) console.error(`${test} timed out: skipped`);
    await askOthers(covered);
  }
  const of = (verdict: MutantVerdict) => mutants.filter((mutant) => verdicts.get(mutant) === verdict);
  return {
    area,
    killed: of('killed').length,
    hung: of('hung').length,
    survivors: of('survived'),
    untested: of('untested'),
  };
}

type MutantVerdict = 'untested' | 'survived' | 'killed' | 'hung';

const isUnnoticed = (verdict: MutantVerdict | undefined): boolean =>
  verdict === 'survived' || verdict === 'untested';

type CoveredTest = Covered & { readonly test: string };

/** Determines which code of `files` each test of a group runs, and stores the result. */
async function coverGroup(
  group: readonly string[],
  files: ReadonlySet<string>,
  { sandbox, kept, reach }: Bench,
): Promise<{ readonly covered: readonly CoveredTest[]; readonly unknown: readonly string[] }> {
  const all = await sandbox.cover(group, files);
  const covered = [...all].map(([test, { ms, coverage }]) => {
    // Excludes code that another test of the group loaded.
    const own = new Map([...coverage].filter(([file]) => reach(test).has(file)));
    kept.keep(test, files, { ms, coverage: own });
    return { test, ms, coverage: own };
  });
  return { covered, unknown: group.filter((test) => !all.has(test)) };
}

/** Sorts tests by the number of words that their names share with one of the files. */
export function nearestFirst(tests: readonly string[], files: ReadonlySet<string>): string[] {
  const wordsOf = (file: string) => file.split(/[^a-z]+/);
  const sources = [...files].map((file) => new Set(wordsOf(file)));
  const score = (test: string) =>
    Math.max(0, ...sources.map((words) => wordsOf(test).filter((word) => words.has(word)).length));
  const scores = new Map(tests.map((test) => [test, score(test)]));
  return tests.toSorted((one, other) => scores.get(other)! - scores.get(one)!);
}

async function judgeMutant(mutant: Mutant, tests: readonly string[], bench: Bench): Promise<MutantVerdict> {
  const groups = [...bench.sandbox.groupsOf(tests)];
  for (const group of groups) {
    const verdict = await judgeByGroup(mutant, group, bench);
    if (verdict === 'killed' || verdict === 'hung') return verdict;
    if (verdict === 'survived') continue;
    if (group.length === 1) console.error(`${group[0]} fails without a change: skipped`);
    else groups.push(...group.map((test) => [test]));
  }
  return tests.length === 0 ? 'untested' : 'survived';
}

/** The result of a group that fails without the change is meaningless. */
async function judgeByGroup(
  mutant: Mutant,
  group: readonly string[],
  { sandbox, unchangedMs }: Bench,
): Promise<'survived' | 'killed' | 'hung' | undefined> {
  const source = sandbox.read(mutant.file);
  const runChanged = async (limitMs: number) => {
    sandbox.write(mutant.file, applyMutant(mutant, source));
    const { verdict } = await sandbox.runTests(group, limitMs);
    sandbox.write(mutant.file, source);
    return verdict;
  };
  const name = group.join();
  const limitMs = () => Math.max(MIN_LIMIT_MS, LIMIT_FACTOR * (unchangedMs.get(name) ?? 0));
  const firstLimitMs = limitMs();
  const first = await runChanged(firstLimitMs);
  if (first === 'passed') return 'survived';
  if (!unchangedMs.has(name)) {
    const { verdict, ms } = await sandbox.runTests(group, 10 * MIN_LIMIT_MS);
    unchangedMs.set(name, verdict === 'passed' ? ms : Number.NaN);
  }
  if (Number.isNaN(unchangedMs.get(name))) return undefined;
  const isShort = first === 'timed out' && limitMs() > firstLimitMs;
  const verdict = isShort ? await runChanged(limitMs()) : first;
  if (verdict === 'passed') return 'survived';
  return verdict === 'failed' ? 'killed' : 'hung';
}

function describeMutant({ file, line, what }: Mutant): string {
  return `${file}:${line}  ${what}`;
}

async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run lab -- mutate',
    about: 'Applies small changes to the code, and counts how many the tests detect.',
    options: {
      area: {
        type: 'string',
        multiple: true,
        value: 'AREA',
        help: `One of ${Object.keys(AREAS).join(', ')}; repeatable (default: all)`,
      },
      sample: { type: 'string', value: 'N', default: '25', help: 'Changes per area' },
      seed: { type: 'string', value: 'N', default: '1', help: 'Seed of the sample' },
      least: { type: 'string', value: 'SCORE', default: '0', help: 'Exit with 1 if a score is below SCORE' },
      list: { type: 'boolean', default: false, help: 'List the changes without running tests' },
    },
  });
  const root = path.resolve(import.meta.dirname, '../..');
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const names = values.area ?? Object.keys(AREAS);
  const unknown = names.filter((name) => !(name in AREAS));
  if (unknown.length > 0) {
    console.error(`Unknown area: ${unknown.join(', ')}. Areas: ${Object.keys(AREAS).join(', ')}`);
    return 2;
  }
  const tests = listFiles(root, ['test'], ['.test.ts']).filter((test) => !test.startsWith('test/e2e/'));
  const imports = new Map(tests.map((test) => [test, parseSource(test, read(test)).imports]));
  const known = { tests, importsOf: (file: string) => imports.get(file) ?? [] };
  const chosen = names.map((area) => {
    const { folders, data } = AREAS[area]!;
    const files = listFiles(root, folders, ['.ts']).filter((file) => data?.test(file) !== true);
    const all = files.flatMap((file) => mutantsOf(file, read(file)));
    return { area, files, mutants: sampleMutants(all, Number(values.sample), Number(values.seed)) };
  });
  if (values.list) {
    for (const { mutants } of chosen) for (const mutant of mutants) console.log(describeMutant(mutant));
    return 0;
  }
  const sandbox = await openSandbox(root);
  const reach = openReach(listFiles(root, ['apps', 'shared', 'scripts', 'test'], SOURCES), sandbox.read);
  const kept = openStoredCoverage(path.join(root, KEPT), sandbox.read, (test) =>
    [...reach(test)].filter((file) => file.startsWith('test/')).sort(),
  );
  const recorded: ReachMap = readReachMap(root) ?? new Map();
  const bench = { sandbox, known, reach, recorded, kept, unchangedMs: new Map<string, number>() };
  try {
    const scores: AreaScore[] = [];
    for (const { area, files, mutants } of chosen) {
      scores.push(await judgeArea(area, files, mutants, bench));
    }
    console.log();
    for (const score of scores) {
      const { area, killed, hung, survivors, untested } = score;
      console.log(
        `${area.padEnd(10)} ${scoreOf(score).toFixed(2)}  killed ${killed}, hung ${hung}, survived ${survivors.length}, untested ${untested.length}`,
      );
    }
    return scores.some((score) => scoreOf(score) < Number(values.least)) ? 1 : 0;
  } finally {
    sandbox.remove();
  }
}

if (import.meta.main) process.exitCode = await main();
