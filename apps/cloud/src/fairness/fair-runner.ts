import { CodedError } from '@csg/shared/contract';
import { createFairQueue, type WorkOwner } from './fair-queue.ts';

export interface FairRunner {
  /** Number of requests that wait for their turn. */
  readonly waiting: number;
  /**
   * Runs `work` when it is the owner's turn, and settles with its result. Rejects with service_unavailable if the turn
   * does not come in time, and with the signal's reason if it is aborted before; in both cases `work` never runs.
   * `cost`: approximate amount of work, in the same unit for all work of this runner.
   */
  run<T>(owner: WorkOwner, cost: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface FairRunnerOptions {
  /** Maximum concurrency. */
  readonly width: number;
  readonly maxWaitMs?: number;
  /** Calls `fire` after that time, unless the returned function is called before. */
  readonly startTimer?: (ms: number, fire: () => void) => () => void;
}

/** A request that has waited this long for its turn is rejected. */
export const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_S = 5;

interface Waiting {
  start(): void;
}

/** Runs work in the order of a fair queue, `width` at a time. Waiting never counts as part of the work's own time. */
export function createFairRunner(options: FairRunnerOptions): FairRunner {
  const { width, maxWaitMs = MAX_WAIT_MS, startTimer = startRealTimer } = options;
  const queue = createFairQueue<Waiting>();
  let running = 0;

  function startNext(): void {
    while (running < width) {
      const next = queue.take();
      if (next === undefined) return;
      running++;
      next.start();
    }
  }

  return {
    get waiting() {
      return queue.size;
    },
    run(owner, cost, work, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const begin = async () => work();
        const giveUp = (reason: unknown): void => {
          settle();
          queue.remove(owner, waiting);
          reject(reason);
        };
        const onAbort = (): void => giveUp(signal?.reason);
        const stopTimer = startTimer(maxWaitMs, () => giveUp(waitedTooLong(maxWaitMs)));
        const settle = (): void => {
          stopTimer();
          signal?.removeEventListener('abort', onAbort);
        };
        const waiting: Waiting = {
          start() {
            settle();
            begin()
              .then(resolve, reject)
              .finally(() => {
                running--;
                startNext();
              });
          },
        };
        signal?.addEventListener('abort', onAbort);
        queue.add(owner, cost, waiting);
        startNext();
      });
    },
  };
}

export function waitedTooLong(ms: number): CodedError {
  return new CodedError('service_unavailable', {
    message: `The service was too busy to scan this request within ${ms / 1000} seconds. Nothing was forwarded. Send the request again.`,
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
    fields: { retry_after: RETRY_AFTER_S },
  });
}

function startRealTimer(ms: number, fire: () => void): () => void {
  const timer = setTimeout(fire, ms).unref();
  return () => clearTimeout(timer);
}
