import path from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { openProcessGroup } from './process-group.ts';

export interface TestFilesOptions {
  readonly cwd: string;
  /** Timeout of one test. */
  readonly testLimitMs: number;
  /** Timeout of all files, after which their process is ended. */
  readonly processLimitMs: number;
  /** Only tests whose name matches one of these; all if empty. */
  readonly names?: readonly RegExp[];
  readonly signal?: AbortSignal;
  /** Time for processes of the files to exit gracefully. */
  readonly graceMs?: number;
  /** Time for the process to end by itself after its last test. */
  readonly lingerMs?: number;
  /** Modules loaded before the files, by URL. */
  readonly preloads?: readonly string[];
  /** Environment of their process, instead of the current one. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How files ended: by themselves, by a timeout, or because the run was stopped. */
export type FileEnd = 'ended' | 'limit' | 'stopped';

/** A wrapper around the run of each group of test files. */
export interface Around {
  /** True if each file needs a process of its own. */
  readonly isAlone: boolean;
  runGroup(files: readonly string[], run: (env: NodeJS.ProcessEnv) => Promise<FileEnd>): Promise<FileEnd>;
}

/** Time for an agent to restore settings, and for a gateway to finish its responses. */
const GRACE_MS = 10_000;
/** Ends what hangs: more than twenty times what closing takes on a busy computer. */
const LINGER_MS = 60_000;
export const SEVERAL_FILES = path.join(import.meta.dirname, 'several-files.ts');
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'end-lingering.ts'));

/**
 * Runs test files in a separate process. `node:test` limits the time of a test from inside that process, which an
 * infinite loop defeats: the limit of the files is enforced from outside. No child process is left.
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
    lingerMs = LINGER_MS,
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
      execArgv: [...preloads, `${PRELOAD.href}?limitMs=${lingerMs}`].map((module) => `--import=${module}`),
      ...(names.length > 0 ? { testNamePatterns: [...names] } : {}),
    });
    for await (const event of events) onEvent(event);
  } finally {
    clearTimeout(timer);
    await group.end();
    group.close();
  }
  if (limit.signal.aborted) return 'limit';
  return stop.aborted ? 'stopped' : 'ended';
}
