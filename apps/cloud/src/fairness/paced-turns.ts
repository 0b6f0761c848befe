import { createFairQueue, type WorkOwner } from './fair-queue.ts';

export interface PacedTurns {
  /** Does a step of milliseconds in a turn of the event loop of its own. `cost`: about how much work it is. */
  run<T>(owner: WorkOwner, cost: number, step: () => T): Promise<T>;
}

export interface PacedTurnsOptions {
  /** Milliseconds that only go forward. */
  readonly elapsed: () => number;
  /** Calls `next` after that time. */
  readonly wait?: (ms: number, next: () => void) => void;
}

interface Waiting {
  start(): void;
}

/**
 * Long steps on the event loop, such as parsing a large body: one at a time, organizations in turn, and after each a
 * pause as long as it took. So such steps have half of the loop at most, and all other work waits for one of them.
 */
export function createPacedTurns({ elapsed, wait = waitReally }: PacedTurnsOptions): PacedTurns {
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

function waitReally(ms: number, next: () => void): void {
  if (ms < 1) setImmediate(next);
  else setTimeout(next, ms);
}
