/**
 * `npm test [-- path … ] [-- --name=regexp]`: runs test/**\/*.test.ts, or those under the given paths.
 * In CI a missing system tool is a failure; on a desk its tests are skipped with the reason.
 */
import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { ensureSystemTools } from './system-tools.ts';
import { createReport } from './test-reporter.ts';

const TEST_TIMEOUT_MS = 180_000;

/** Test files of the paths given (folders, files, globs), or all; sorted, relative to `root`. */
export function findTestFiles(root: string, paths: readonly string[]): string[] {
  const patterns = paths.length === 0 ? ['test'] : paths;
  const files = patterns.flatMap((pattern) => {
    const isFolder = statSync(path.join(root, pattern), { throwIfNoEntry: false })?.isDirectory() ?? false;
    return globSync(isFolder ? path.join(pattern, '**/*.test.ts') : pattern, { cwd: root });
  });
  return [...new Set(files)].sort();
}

/** The exit code: 0 where all held. */
export async function runTests(args: readonly string[]): Promise<number> {
  const root = path.resolve(import.meta.dirname, '..');
  const names = args.filter((arg) => arg.startsWith('--name=')).map((arg) => arg.slice('--name='.length));
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
  const absolute = files.map((file) => path.join(root, file));
  const { report, hasFailed } = createReport(root, absolute);
  const events = run({
    files: absolute,
    cwd: root,
    concurrency: os.availableParallelism(),
    timeout: TEST_TIMEOUT_MS,
    signal: stop.signal,
    ...(names.length > 0 ? { testNamePatterns: names.map((name) => new RegExp(name)) } : {}),
  });
  for await (const text of report(events)) process.stdout.write(text);
  return hasFailed() || stop.signal.aborted ? 1 : 0;
}

if (import.meta.main) process.exitCode = await runTests(process.argv.slice(2));
