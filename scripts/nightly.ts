/**
 * `npm run nightly [-- GROUP … --seed N --list]`: runs whole what attacks, measures or drives real machines, in groups.
 * Ends with a summary, and with 0 if everything passed.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { GROUPS, type Group } from './nightly/groups.ts';
import { runStep, type Step, type StepEnd } from './nightly/run-step.ts';
import { readArguments } from './options.ts';
import { ensureSystemTools, missingTool } from './system-tools.ts';
import { parseSeed, seedOfRevision } from './testing/seed.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Longer than any group may take. */
const GROUP_LIMIT_MS = 90 * 60_000;

/** What happened to one step of a group, or to the group itself. */
export interface Outcome {
  readonly group: string;
  readonly title: string;
  readonly seconds: number;
  readonly result: StepEnd | `cannot run: ${string}`;
}

/** The groups of these names, all without a name. Throws one sentence if there is no such group. */
export function chooseGroups(names: readonly string[], groups: readonly Group[] = GROUPS): readonly Group[] {
  const unknown = names.find((name) => !groups.some((group) => group.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no group "${unknown}". The groups are ${groups.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? groups : groups.filter(({ name }) => names.includes(name));
}

/** The suites of a group in one run of the tests, then each command of the laboratory. */
export function stepsOf({ suites, commands }: Group, seed: number): Step[] {
  const env = { ...process.env, LONG: '1', CSG_SEED: String(seed) };
  const files = suites.map(({ file }) => file);
  const limit = `--limit=${GROUP_LIMIT_MS / 1_000}`;
  const tests: Step = {
    title: `${files.length} suites`,
    command: [process.execPath, path.join(ROOT, 'scripts/test.ts'), ...files, limit],
    env,
  };
  const labs = commands.map(({ args: [name, ...others] }): Step => {
    const given = others.map((arg) => arg.replace('{seed}', String(seed)));
    const script = path.join(ROOT, `scripts/lab/${name}.ts`);
    return { title: ['lab', name, ...given].join(' '), command: [process.execPath, script, ...given], env };
  });
  return files.length === 0 ? labs : [tests, ...labs];
}

/** Runs the steps of a group one after the other, also after one that failed. */
export async function runGroup(
  group: Group,
  steps: readonly Step[],
  signal: AbortSignal,
  limitMs = GROUP_LIMIT_MS,
): Promise<Outcome[]> {
  const missing = missingTool(group.needs);
  if (missing !== false) {
    return [{ group: group.name, title: 'the group', seconds: 0, result: `cannot run: ${missing}` }];
  }
  const limit = new AbortController();
  const timer = setTimeout(() => {
    console.error(`The group ${group.name} takes longer than ${limitMs / 60_000} minutes and is stopped.`);
    limit.abort();
  }, limitMs);
  const stop = AbortSignal.any([signal, limit.signal]);
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    console.log(`\n== ${group.name}: ${step.title}\n`);
    const startedMs = performance.now();
    const result = await runStep(step, stop);
    const seconds = (performance.now() - startedMs) / 1_000;
    outcomes.push({ group: group.name, title: step.title, seconds, result });
  }
  clearTimeout(timer);
  return outcomes;
}

/** One line for each step, and the seed and revision that repeat it. */
export function summaryOf(outcomes: readonly Outcome[], seed: number, revision: string): string {
  const lines = outcomes.map(({ group, title, seconds, result }) => {
    const minutes = `${(seconds / 60).toFixed(1)} min`;
    return `${result === 'passed' ? '✓' : '✗'} ${group.padEnd(8)} ${title}: ${result}, ${minutes}`;
  });
  return ['', ...lines, `seed ${seed}, revision ${revision}`].join('\n');
}

export function listOf(groups: readonly Group[]): string {
  return groups
    .flatMap(({ name, suites, commands }) => [
      name,
      ...suites.map(({ file, claim }) => `  ${file}: ${claim}`),
      ...commands.map(({ args, claim }) => `  npm run lab -- ${args.join(' ')}: ${claim}`),
    ])
    .join('\n');
}

function revisionOf(root: string): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return 'unknown (no git)';
  const isChanged = git('status', '--porcelain', '--untracked-files=no').stdout !== '';
  return stdout.trim() + (isChanged ? ' with uncommitted changes' : '');
}

async function main(): Promise<void> {
  const { values, operands } = readArguments({
    command: 'npm run nightly --',
    about: 'Runs whole what attacks, measures or drives real machines.',
    options: {
      seed: { type: 'string', value: 'N', help: 'Seed of the random cases (default: that of the commit)' },
      list: { type: 'boolean', default: false, help: 'List the groups and what they run' },
    },
    operands: '[GROUP …]',
  });
  const groups = chooseGroups(operands);
  if (values.list) return void console.log(listOf(groups));
  const seed = values.seed === undefined ? seedOfRevision(ROOT) : parseSeed(values.seed);
  ensureSystemTools(console.error);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const outcomes: Outcome[] = [];
  for (const group of groups) {
    if (!stop.signal.aborted) outcomes.push(...(await runGroup(group, stepsOf(group, seed), stop.signal)));
  }
  console.log(summaryOf(outcomes, seed, revisionOf(ROOT)));
  if (stop.signal.aborted || outcomes.some(({ result }) => result !== 'passed')) process.exitCode = 1;
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  });
}
