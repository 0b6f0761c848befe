import path from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

export interface TestFileOptions {
  readonly cwd: string;
  /** Of one test; the test fails when it takes longer. */
  readonly testLimitMs: number;
  /** Of the whole file; its process is ended when it takes longer. */
  readonly fileLimitMs: number;
  /** Tests whose name matches one of these; all when empty. */
  readonly names?: readonly RegExp[];
  readonly signal?: AbortSignal;
  /** Modules loaded before the file, by address. */
  readonly preloads?: readonly string[];
}

/** How a file ended: by itself, or because its time was up. */
export type FileEnd = 'ended' | 'limit';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'end-lingering.ts')).href;

/**
 * Runs one test file in a process of its own. `node:test` limits the time of a test from inside that process, which
 * a loop that never yields defeats: the limit of the file is kept from outside.
 */
export async function runTestFile(
  file: string,
  { cwd, testLimitMs, fileLimitMs, names = [], signal, preloads = [] }: TestFileOptions,
  onEvent: (event: TestEvent) => void,
): Promise<FileEnd> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), fileLimitMs);
  try {
    const events = run({
      files: [file],
      cwd,
      concurrency: 1,
      timeout: testLimitMs,
      signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
      execArgv: [...preloads, PRELOAD].map((module) => `--import=${module}`),
      ...(names.length > 0 ? { testNamePatterns: [...names] } : {}),
    });
    for await (const event of events) onEvent(event);
  } finally {
    clearTimeout(timer);
  }
  return limit.signal.aborted ? 'limit' : 'ended';
}
