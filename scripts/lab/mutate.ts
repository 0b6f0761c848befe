/**
 * `npm run lab -- mutate [--area flows] [--sample 25] [--seed 1] [--least 0.9] [--list]`
 *
 * Makes small changes to the code, one at a time in a copy of the project, and runs the tests to see whether they fail:
 * those nearest to the file first, then others that ran the changed function when they were last recorded; tests that
 * never were are recorded first. Surviving changes are printed with their position. Exits with 1 if an area scores below
 * `--least`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { listFiles } from '../structure/list-files.ts';
import { parseSource } from '../structure/parse-source.ts';
import { type ReachMap, readReachMap } from '../testing/changed/reach-map.ts';
import { runAndRecord } from '../testing/changed/run-and-record.ts';
import { partAt, partsOf } from '../testing/changed/source-parts.ts';
import { openNames } from '../testing/changed/static-reach.ts';
import { type Project, testsOfChange } from '../testing/changed/tests-of-change.ts';
import { untouchedParts } from '../testing/changed/untouched-parts.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutation/mutants.ts';
import { openSandbox, type Sandbox } from './mutation/sandbox.ts';
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
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly known: KnownTests;
  readonly project: Omit<Project, 'unchangedOf' | 'reach'>;
  /** Duration of a group of tests without a change, NaN if it fails; filled on demand. */
  readonly unchangedMs: Map<string, number>;
}

async function judgeArea(area: string, mutants: readonly Mutant[], bench: Bench): Promise<AreaScore> {
  const { root, known } = bench;
  const { tests: folders, broad = {} } = AREAS[area]!;
  const verdicts = new Map<Mutant, MutantVerdict>();
  const judge = async (mutant: Mutant, tests: readonly string[]): Promise<void> => {
    const verdict = await judgeMutant(mutant, tests, bench);
    verdicts.set(mutant, verdict === 'untested' ? (verdicts.get(mutant) ?? verdict) : verdict);
    console.log(`${verdict.padEnd(9)} ${area.padEnd(10)} ${describeMutant(mutant)}`);
  };
  const nearTo = ({ file }: Mutant): string[] => {
    const further = Object.entries(broad).flatMap(([folder, tests]) =>
      file.startsWith(folder) ? tests : [],
    );
    return [...new Set([...testsOf(file, known), ...further])];
  };
  const before = readReachMap(root) ?? new Map();
  for (const mutant of mutants) {
    const able = testsThatNotice(mutant, before, bench);
    await judge(
      mutant,
      nearTo(mutant).filter((test) => able.has(test)),
    );
  }
  const left = mutants.filter((mutant) => isUnnoticed(verdicts.get(mutant)));
  if (left.length > 0) {
    const others = known.tests.filter((test) => folders.some((folder) => test.startsWith(`${folder}/`)));
    console.log(`${area}: ${left.length} not detected; asking others of ${others.length} tests`);
    const reach = await recordedReach(root, others);
    for (const mutant of left) {
      const near = new Set(nearTo(mutant));
      const able = testsThatNotice(mutant, reach, bench);
      const further = others.filter((test) => able.has(test) && reach.has(test) && !near.has(test));
      if (further.length > 0) await judge(mutant, mostSpecific(further, reach).slice(0, MAX_OTHERS));
    }
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

/** The tests that ran the changed function, and those that were never recorded. */
function testsThatNotice(mutant: Mutant, reach: ReachMap, { sandbox, project }: Bench): ReadonlySet<string> {
  const parts = partsOf(mutant.file, sandbox.read(mutant.file));
  const changed = partAt(parts, mutant.start);
  const unchanged = new Set(parts.filter((part) => part !== changed).map(({ digest }) => digest));
  return new Set(testsOfChange([mutant.file], { ...project, reach, unchangedOf: () => unchanged }));
}

/** Runs and records those of the tests that never were. */
async function recordedReach(root: string, tests: readonly string[]): Promise<ReachMap> {
  const known = readReachMap(root);
  const missing = tests.filter((test) => known?.has(test) !== true);
  if (missing.length === 0) return known ?? new Map();
  console.error(`Recording what ${missing.length} tests run …`);
  await runAndRecord(root, missing);
  return readReachMap(root) ?? new Map();
}

/** Sorts tests by how little they run. */
export function mostSpecific(tests: readonly string[], reach: ReachMap): string[] {
  const sizes = new Map(
    tests.map((test) => [
      test,
      [...(reach.get(test)?.values() ?? [])].reduce((sum, { size }) => sum + size, 0),
    ]),
  );
  return tests.toSorted((one, other) => sizes.get(one)! - sizes.get(other)!);
}

type MutantVerdict = 'untested' | 'survived' | 'killed' | 'hung';

const isUnnoticed = (verdict: MutantVerdict | undefined): boolean =>
  verdict === 'survived' || verdict === 'untested';

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
  if (Number.isNaN(unchangedMs.get(name))) return undefined;
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
    return { area, mutants: sampleMutants(all, Number(values.sample), Number(values.seed)) };
  });
  if (values.list) {
    for (const { mutants } of chosen) for (const mutant of mutants) console.log(describeMutant(mutant));
    return 0;
  }
  const sandbox = await openSandbox(root);
  const sources = listFiles(root, ['apps', 'shared', 'scripts', 'test'], SOURCES);
  const namesOf = openNames(sources, sandbox.read);
  const untouchedBy = (file: string, other: string) =>
    untouchedParts(
      { file, text: sandbox.read(file) },
      other,
      namesOf(file).filter((name) => name === other).length,
    );
  const project = { tests, files: sources, namesOf, untouchedBy };
  const bench = { root, sandbox, known, project, unchangedMs: new Map<string, number>() };
  try {
    const scores: AreaScore[] = [];
    for (const { area, mutants } of chosen) {
      scores.push(await judgeArea(area, mutants, bench));
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
