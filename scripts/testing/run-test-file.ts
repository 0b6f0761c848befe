import path from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { openProcessGroup } from './process-group.ts';

export interface TestFileOptions {
  readonly cwd: string;
  /** Of one test; the test fails when it takes longer. */
  readonly testLimitMs: number;
  /** Of the whole file; its process is ended when it takes longer. */
  readonly fileLimitMs: number;
  /** Tests whose name matches one of these; all when empty. */
  readonly names?: readonly RegExp[];
  readonly signal?: AbortSignal;
  /** For processes of the file that are ended to end in order. */
  readonly graceMs?: number;
  /** Modules loaded before the file, by address. */
  readonly preloads?: readonly string[];
}

/** How a file ended: by itself, or because its time was up. */
export type FileEnd = 'ended' | 'limit';

/** An agent puts settings back, a gateway answers what it has begun. */
const GRACE_MS = 10_000;
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'end-lingering.ts')).href;

/**
 * Runs one test file in a process of its own. `node:test` limits the time of a test from inside that process, which
 * a loop that never yields defeats: the limit of the file is kept from outside. No process that it started stays.
 */
export async function runTestFile(
  file: string,
  { cwd, testLimitMs, fileLimitMs, names = [], signal, graceMs = GRACE_MS, preloads = [] }: TestFileOptions,
  onEvent: (event: TestEvent) => void,
): Promise<FileEnd> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), fileLimitMs);
  const stop = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  const group = openProcessGroup(file, graceMs);
  stop.addEventListener('abort', () => void group.end(), { once: true });
  try {
    const events = run({
      files: [file],
      cwd,
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
