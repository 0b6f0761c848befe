import { createFairQueue, type WorkOwner } from './fair-queue.ts';

export interface PacedTurns {
  /** Runs a step of some milliseconds in its own turn of the event loop. `cost`: approximate amount of work. */
  run<T>(owner: WorkOwner, cost: number, step: () => T): Promise<T>;
}

export interface PacedTurnsOptions {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Calls `next` after that time. */
  readonly wait?: (ms: number, next: () => void) => void;
}

interface Waiting {
  start(): void;
}

/**
 * Runs long steps on the event loop, such as parsing a large body: one at a time, organizations in turn, each followed
 * by a pause of the same length. Such steps take at most half of the loop, and other work waits for one of them at
 * most.
 */
export function createPacedTurns({ elapsed, wait = callAfter }: PacedTurnsOptions): PacedTurns {
  const queue = createFairQueue<Waiting>();
  let isRunning = false;

  function doNext(): void {
    const next = queue.take();
    isRunning = next !== undefined;
    if (next === undefined) return;
    const begunMs = elapsed();
    next.start();
    wait(elapsed() - begunMs, doNext);
  }

  return {
    run(owner, cost, step) {
      return new Promise((resolve, reject) => {
        const start = (): void => {
          try {
            resolve(step());
          } catch (error) {
            reject(error);
          }
        };
        queue.add(owner, cost, { start });
        if (isRunning) return;
        isRunning = true;
        wait(0, doNext);
      });
    },
  };
}

function callAfter(ms: number, next: () => void): void {
  if (ms < 1) setImmediate(next);
  else setTimeout(next, ms);
}
