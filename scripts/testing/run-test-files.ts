import path from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { openProcessGroup } from './process-group.ts';

export interface TestFilesOptions {
  readonly cwd: string;
  /** Of one test; the test fails when it takes longer. */
  readonly testLimitMs: number;
  /** Of all the files; their process is ended when they take longer. */
  readonly processLimitMs: number;
  /** Tests whose name matches one of these; all when empty. */
  readonly names?: readonly RegExp[];
  readonly signal?: AbortSignal;
  /** For processes of the files that are ended to end in order. */
  readonly graceMs?: number;
  /** Modules loaded before the files, by address. */
  readonly preloads?: readonly string[];
  /** Of their process, instead of the one of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How files ended: by themselves, or because their time was up. */
export type FileEnd = 'ended' | 'limit';

/** An agent puts settings back, a gateway answers what it has begun. */
const GRACE_MS = 10_000;
export const SEVERAL_FILES = path.join(import.meta.dirname, 'several-files.ts');
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'end-lingering.ts')).href;

/**
 * Runs test files in a process of their own. `node:test` limits the time of a test from inside that process, which a
 * loop that never yields defeats: the limit of the files is kept from outside. No process that it started stays.
 */
export async function runTestFiles(
  files: readonly [string, ...string[]],
  {
    cwd,
    testLimitMs,
    processLimitMs,
    names = [],
    signal,
    graceMs = GRACE_MS,
    preloads = [],
    env = process.env,
  }: TestFilesOptions,
  onEvent: (event: TestEvent) => void,
): Promise<FileEnd> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), processLimitMs);
  const stop = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  const group = openProcessGroup(files[0], graceMs);
  stop.addEventListener('abort', () => void group.end(), { once: true });
  try {
    const events = run({
      ...(files.length === 1 ? { files: [...files] } : { files: [SEVERAL_FILES], argv: [...files] }),
      cwd,
      env,
      concurrency: 1,
      timeout: testLimitMs,
      signal: stop,
      execArgv: [...preloads, PRELOAD].map((module) => `--import=${module}`),
      ...(names.length > 0 ? { testNamePatterns: [...names] } : {}),
    });
    for await (const event of events) onEvent(event);
  } finally {
    clearTimeout(timer);
    await group.end();
    group.close();
  }
  return limit.signal.aborted ? 'limit' : 'ended';
}
