import { Worker } from 'node:worker_threads';
import { CodedError } from '@csg/shared/contract';
import { UnscannableTextError } from '@csg/shared/detection';
import type { ThreadMessage } from './run-scan-thread.ts';
import type { ScanTask } from './scan-worker.ts';

export interface ScanThread {
  /**
   * Runs one task; the next may follow when it is settled. Rejects with UnscannableTextError if the task's own CPU
   * time exceeds the deadline, with service_unavailable if the thread gets no CPU time for long, and with the original
   * error otherwise. The next task replaces a thread that was terminated or crashed.
   */
  run(task: ScanTask): Promise<unknown>;
  close(): Promise<void>;
}

export interface ScanThreadOptions {
  readonly deadlineMs: number;
  /** 0 to 19: of threads competing for a core, the one with the lower value gets most of it. */
  readonly niceness: number;
  readonly file?: URL | undefined;
  /** Keeps an idle thread alive, because starting one takes longer than most tasks. */
  readonly staysReady?: boolean;
}

export const SCAN_THREAD = new URL('./run-scan-thread.ts', import.meta.url);
/** Limits memory so that an expensive text is rejected instead of the system killing the service. */
const MAX_HEAP_MB = 2_048;
const POLL_MS = 100;
/** Maximum time a task may wait for a processor between its start and its end. */
const MAX_STARVED_MS = 30_000;
const RETRY_AFTER_S = 5;
const IDLE_MS = 60_000;

interface Running {
  readonly startedMs: number;
  readonly settle: (message: ThreadMessage | Error) => void;
}

/** A worker thread with the engine. It measures the CPU time of each task, excluding waiting. */
export function createScanThread(options: ScanThreadOptions): ScanThread {
  const { deadlineMs, niceness, file = SCAN_THREAD, staysReady = false } = options;
  let worker: Worker | null = null;
  /** CPU time of the thread at the end of its last task; null before it is ready. */
  let usedMs: number | null = null;
  let running: Running | null = null;
  let looking: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file, {
      workerData: { niceness },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.unref();
    const isCurrent = () => worker === started;
    started.on('message', (message: ThreadMessage) => {
      if (!isCurrent()) return;
      // The first message reports that the thread is ready: its startup cost is not charged to a task.
      if (usedMs !== null) running?.settle(message);
      usedMs = message.cpuMs;
    });
    started.on('error', (error) => {
      if (isCurrent()) end(error);
    });
    started.on('exit', (code) => {
      if (isCurrent()) end(new Error(`The scan thread ended with code ${code}.`));
    });
    return started;
  }

  /** Terminates the thread, or handles its end; its task, if any, fails with `error`. */
  function end(error: Error): Promise<unknown> {
    const ended = worker;
    worker = null;
    usedMs = null;
    running?.settle(error);
    return ended?.terminate() ?? Promise.resolve();
  }

  /** Checks the CPU time of the running task. */
  async function poll(task: Running): Promise<void> {
    const own = await costOf(worker, usedMs);
    if (running !== task) return;
    const starvedMs = performance.now() - task.startedMs - own;
    if (own > deadlineMs) void end(new UnscannableTextError('too_costly'));
    else if (starvedMs > MAX_STARVED_MS) void end(starved());
    else looking = setTimeout(poll, POLL_MS, task).unref();
  }

  return {
    run(task) {
      return new Promise((resolve, reject) => {
        clearTimeout(idle);
        worker ??= start();
        worker.ref();
        const settle: Running['settle'] = (message) => {
          clearTimeout(looking);
          const before = usedMs ?? 0;
          running = null;
          worker?.unref();
          if (!staysReady)
            idle = setTimeout(() => void end(new Error('The scan thread was idle.')), IDLE_MS).unref();
          if (message instanceof Error) return reject(message);
          const error = errorOf(message, message.cpuMs - before > deadlineMs);
          if (error === undefined) resolve(message.result);
          else reject(error);
        };
        const now: Running = { startedMs: performance.now(), settle };
        running = now;
        looking = setTimeout(poll, POLL_MS, now).unref();
        worker.postMessage(task);
      });
    },
    async close() {
      clearTimeout(idle);
      await end(new Error('The scanner is closed.'));
      clearTimeout(idle);
    },
  };
}

/**
 * Returns why a task has no result; undefined if it has one. A task that finished just before the next check may also
 * be too costly, so that the outcome does not depend on when the check happens.
 */
function errorOf({ unscannable, error }: ThreadMessage, isTooCostly: boolean): unknown {
  if (isTooCostly) return new UnscannableTextError('too_costly');
  return unscannable === undefined ? error : new UnscannableTextError(unscannable);
}

/** Returns the CPU time used by the thread's task; 0 while the thread starts. */
async function costOf(worker: Worker | null, usedMs: number | null): Promise<number> {
  if (worker === null || usedMs === null) return 0;
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000 - usedMs;
  } catch {
    // The thread is just ending.
    return 0;
  }
}

function starved(): CodedError {
  return new CodedError('service_unavailable', {
    message:
      'The service was too busy to scan this request in time. Nothing was forwarded. Send the request again.',
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
    fields: { retry_after: RETRY_AFTER_S },
  });
}
