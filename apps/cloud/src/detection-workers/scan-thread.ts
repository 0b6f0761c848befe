import { Worker } from 'node:worker_threads';
import { CodedError } from '@csg/shared/contract';
import { UnscannableTextError } from '@csg/shared/detection';
import type { ThreadMessage } from './run-scan-thread.ts';
import type { ScanTask } from './scan-worker.ts';

export interface ScanThread {
  /**
   * Runs one task; the next may come when it is settled. Rejects with UnscannableTextError if the task's own CPU time
   * passes the deadline, with service_unavailable if the thread does not get to run for long, and with what went wrong
   * otherwise. A thread that is ended or dies is replaced by the next task.
   */
  run(task: ScanTask): Promise<unknown>;
  close(): Promise<void>;
}

export interface ScanThreadOptions {
  readonly deadlineMs: number;
  /** 0 to 19: of threads that want the same core, the one with the lower number gets most of it. */
  readonly niceness: number;
  readonly file?: URL | undefined;
  /** Stays when it is idle: to start one takes longer than most tasks. */
  readonly staysReady?: boolean;
}

export const SCAN_THREAD = new URL('./run-scan-thread.ts', import.meta.url);
/** A text that makes the engine use more is refused, not the whole service ended by the system. */
const MAX_HEAP_MB = 2_048;
const POLL_MS = 100;
/** Between its start and its end a task may wait this long for a processor. */
const MAX_STARVED_MS = 30_000;
const RETRY_AFTER_S = 5;
const IDLE_MS = 60_000;

interface Running {
  readonly startedMs: number;
  readonly settle: (message: ThreadMessage | Error) => void;
}

/** A worker thread with the engine that counts what each task costs in CPU time, never what it waits. */
export function createScanThread(options: ScanThreadOptions): ScanThread {
  const { deadlineMs, niceness, file = SCAN_THREAD, staysReady = false } = options;
  let worker: Worker | null = null;
  /** CPU time of the thread when its last task was over; null before it is ready. */
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
      // The first one says that it is ready: what starting cost is no task's.
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

  /** The thread is gone or has to go; its task, if there is one, fails with `error`. */
  function end(error: Error): Promise<unknown> {
    const ended = worker;
    worker = null;
    usedMs = null;
    running?.settle(error);
    return ended?.terminate() ?? Promise.resolve();
  }

  /** While a task runs: whether it has used up its time. */
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
 * Why a task has no result; undefined where it has one. A task that ended just before it was looked at may be too
 * costly as well: what is refused does not depend on when that happens.
 */
function errorOf({ unscannable, error }: ThreadMessage, isTooCostly: boolean): unknown {
  if (isTooCostly) return new UnscannableTextError('too_costly');
  return unscannable === undefined ? error : new UnscannableTextError(unscannable);
}

/** CPU time that the task of a thread has used; 0 while the thread starts. */
async function costOf(worker: Worker | null, usedMs: number | null): Promise<number> {
  if (worker === null || usedMs === null) return 0;
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000 - usedMs;
  } catch {
    // It ends right now.
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
