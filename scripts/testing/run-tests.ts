import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareBuild } from '../bootstrap/prepare-program.mjs';
import { ensureSystemTools } from '../system-tools.ts';
import { bundlePackages } from './bundle-packages.ts';
import { groupFiles } from './group-files.ts';
import { quickImports } from './packages.ts';
import { createReport } from './report.ts';
import { runGroups } from './run-groups.ts';
import { type Around, runTestFiles } from './run-test-files.ts';
import { parseSeed, seedOfRevision } from './seed.ts';

/** These end what hangs: twenty times what the longest test and process usually take. */
export const TEST_LIMIT_MS = 600_000;
export const PROCESS_LIMIT_MS = 1_800_000;
/** Many tests wait for a process, a browser or a timeout: more groups than there are processors use that time. */
const RUNNERS = os.availableParallelism() + 2;

/** Returns the test files of the given paths (folders, files, globs), or all; sorted, relative to `root`. */
export function findTestFiles(root: string, paths: readonly string[]): string[] {
  const patterns = paths.length === 0 ? ['test', 'scripts/lab/test'] : paths;
  const files = patterns.flatMap((pattern) => {
    const isFolder = statSync(path.join(root, pattern), { throwIfNoEntry: false })?.isDirectory() ?? false;
    return globSync(isFolder ? path.join(pattern, '**/*.test.ts') : pattern, { cwd: root });
  });
  return [...new Set(files)].sort();
}

const PLAIN: Around = { isAlone: false, runGroup: (_, run) => run(process.env) };

/** What a wrapper measures are the sources. */
async function makePreload(root: string, around: Around): Promise<string> {
  const build = around === PLAIN ? await prepareBuild(root, process.execPath) : undefined;
  return quickImports(root, { packages: await bundlePackages(root), programs: build?.folder });
}

/** Resolves to the exit code: 0 if every test passed. */
export async function runTests(args: readonly string[], around = PLAIN): Promise<number> {
  const root = path.resolve(import.meta.dirname, '../..');
  const names = args.filter((arg) => arg.startsWith('--name=')).map((arg) => arg.slice('--name='.length));
  const limit = args.find((arg) => arg.startsWith('--limit='))?.slice('--limit='.length);
  const given = args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length);
  const seed = given === undefined ? seedOfRevision(root) : parseSeed(given);
  process.env['CSG_SEED'] = String(seed);
  const paths = args.filter((arg) => !arg.startsWith('--'));
  const files = findTestFiles(root, paths);
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
    : groupFiles(root, files, paths.length === 0 ? 1 : os.availableParallelism());
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
