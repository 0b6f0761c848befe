/**
 * `npm test [-- path … ] [-- --name=regexp] [-- --limit=SECONDS] [-- --seed=N] [-- --changed [BASE]] [-- --record]`: runs the tests of test and scripts/lab,
 * or those under the given paths; of each slow suite the part that the seed chooses. In CI a missing system tool is a
 * failure; on a developer's machine its tests are skipped with the reason.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareBuild } from './bootstrap/prepare-program.mjs';
import { readArguments } from './options.ts';
import { ensureSystemTools } from './system-tools.ts';
import { bundlePackages } from './testing/bundle-packages.ts';
import { listChangedFiles } from './testing/changed/list-changed-files.ts';
import { readReachMap, writeReachMap } from './testing/changed/reach-map.ts';
import { recordReach } from './testing/changed/record-reach.ts';
import { openNames } from './testing/changed/static-reach.ts';
import { testsOfChange } from './testing/changed/tests-of-change.ts';
import { groupFiles } from './testing/group-files.ts';
import { quickImports } from './testing/packages.ts';
import { createReport } from './testing/report.ts';
import { runGroups } from './testing/run-groups.ts';
import { type FileEnd, runTestFiles } from './testing/run-test-files.ts';
import { parseSeed, seedOfRevision } from './testing/seed.ts';

/** These end what hangs: twenty times what the longest test and process usually take. */
const TEST_LIMIT_MS = 600_000;
const PROCESS_LIMIT_MS = 1_800_000;
/** Many tests wait for a process, a browser or a timeout: one more file than there are processors uses that time. */
const RUNNERS = os.availableParallelism() + 1;

/** Returns the test files of the given paths (folders, files, globs), or all; sorted, relative to `root`. */
export function findTestFiles(root: string, paths: readonly string[]): string[] {
  const patterns = paths.length === 0 ? ['test', 'scripts/lab/test'] : paths;
  const files = patterns.flatMap((pattern) => {
    const isFolder = statSync(path.join(root, pattern), { throwIfNoEntry: false })?.isDirectory() ?? false;
    return globSync(isFolder ? path.join(pattern, '**/*.test.ts') : pattern, { cwd: root });
  });
  return [...new Set(files)].sort();
}

/** A wrapper around the run of each group of test files. */
export interface Around {
  /** True if each file needs a process of its own. */
  readonly isAlone: boolean;
  runGroup(files: readonly string[], run: (env: NodeJS.ProcessEnv) => Promise<FileEnd>): Promise<FileEnd>;
}

const PLAIN: Around = { isAlone: false, runGroup: (_, run) => run(process.env) };

/** What a wrapper measures are the sources. */
async function makePreload(root: string, around: Around): Promise<string> {
  const build = around === PLAIN ? await prepareBuild(root, process.execPath) : undefined;
  return quickImports(root, { packages: await bundlePackages(root), programs: build?.folder });
}

/** Resolves to the exit code: 0 if every test passed. */
export async function runTests(args: readonly string[], around = PLAIN): Promise<number> {
  const root = path.resolve(import.meta.dirname, '..');
  const names = args.filter((arg) => arg.startsWith('--name=')).map((arg) => arg.slice('--name='.length));
  const limit = args.find((arg) => arg.startsWith('--limit='))?.slice('--limit='.length);
  const given = args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length);
  const seed = given === undefined ? seedOfRevision(root) : parseSeed(given);
  process.env['CSG_SEED'] = String(seed);
  const files = findTestFiles(
    root,
    args.filter((arg) => !arg.startsWith('--')),
  );
  if (files.length === 0) {
    console.error(`No test files match ${args.join(' ')}.`);
    return 1;
  }
  const missing = ensureSystemTools(console.error);
  if (missing.length > 0 && process.env['CI'] === 'true') {
    console.error('In CI every test has to run: install what is missing, then run again.');
    return 1;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const report = createReport(root, (text) => process.stdout.write(text));
  const forFiles = {
    cwd: root,
    testLimitMs: limit === undefined ? TEST_LIMIT_MS : Number(limit) * 1_000,
    processLimitMs: limit === undefined ? PROCESS_LIMIT_MS : Number(limit) * 1_000,
    names: names.map((name) => new RegExp(name)),
    signal: stop.signal,
    preloads: [await makePreload(root, around)],
  };
  const groups = around.isAlone
    ? files.map((file): [string] => [path.join(root, file)])
    : groupFiles(root, files);
  await runGroups(groups, { runners: RUNNERS, signal: stop.signal }, async (group) => {
    const end = await around.runGroup(group, (env) =>
      runTestFiles(group, { ...forFiles, env }, (event) => report.onEvent(group, event)),
    );
    report.onFilesEnd(group, end);
  });
  const isPassed = report.end();
  console.log(`# seed ${seed}`);
  return isPassed && !stop.signal.aborted ? 0 : 1;
}

/** Records which files each test runs, for `--changed`. */
async function runAndRecord(root: string, args: readonly string[]): Promise<number> {
  const recorded = new Map<string, Set<string>>();
  const around = recordReach(root, (test, files) => {
    recorded.set(test, new Set([...(recorded.get(test) ?? []), ...files]));
  });
  const code = await runTests(args, around);
  writeReachMap(root, recorded, findTestFiles(root, []));
  return code;
}

/** Runs the tests that the changes since `base` can reach; all, and records them, if none were recorded yet. */
async function runChanged(root: string, base: string, options: readonly string[]): Promise<number> {
  const reach = readReachMap(root);
  if (reach === undefined) {
    console.error('No run was recorded in this copy of the project: running and recording all tests …');
    return await runAndRecord(root, options);
  }
  const changed = listChangedFiles(root, base);
  if (typeof changed === 'string') {
    console.error(`The changes since ${base} cannot be listed; ${changed}`);
    return 2;
  }
  const sources = globSync('{apps,shared,scripts,test}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  });
  const files = [...new Set([...sources, ...changed])];
  const read = (file: string) =>
    existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
  const namesOf = openNames(files, read);
  const chosen = testsOfChange(changed, { tests: findTestFiles(root, []), files, reach, namesOf });
  console.error(`${changed.length} files changed since ${base}; ${chosen.length} test files can notice.`);
  return chosen.length === 0 ? 0 : await runTests([...chosen, ...options]);
}

if (import.meta.main) {
  const { values, operands } = readArguments({
    command: 'npm test --',
    about: 'Runs all tests, or those in the given files and folders.',
    options: {
      changed: {
        type: 'boolean',
        help: 'Only the tests that the changes since a revision can reach: --changed main (default: HEAD)',
      },
      record: { type: 'boolean', help: 'Also record which files each test runs, for --changed' },
      name: { type: 'string', multiple: true, value: 'PATTERN', help: 'Only tests with a matching name' },
      limit: {
        type: 'string',
        value: 'SECONDS',
        help: `Time limit of a process of test files, and of each test (default: ${PROCESS_LIMIT_MS / 1_000} and ${TEST_LIMIT_MS / 1_000})`,
      },
      seed: {
        type: 'string',
        value: 'N',
        help: 'Seed that chooses the part of each slow suite (default: that of the commit)',
      },
    },
    operands: '[FILE …]',
  });
  const root = path.resolve(import.meta.dirname, '..');
  const options = [
    ...(values.name ?? []).map((name) => `--name=${name}`),
    ...(values.limit === undefined ? [] : [`--limit=${values.limit}`]),
    ...(values.seed === undefined ? [] : [`--seed=${values.seed}`]),
  ];
  if (values.changed === true) process.exitCode = await runChanged(root, operands[0] ?? 'HEAD', options);
  else if (values.record === true) process.exitCode = await runAndRecord(root, [...operands, ...options]);
  else process.exitCode = await runTests([...operands, ...options]);
}
