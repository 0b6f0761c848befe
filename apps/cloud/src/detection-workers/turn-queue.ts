import { createFairQueue, type WorkOwner } from '../fairness/fair-queue.ts';

/** Jobs of one turn of the event loop, done one after the other at its end. */
export interface TurnQueue {
  /** Resolves or rejects with what `job` returns or throws. `size` counts towards what one turn may hold. */
  run<T>(owner: WorkOwner, size: number, job: () => T): Promise<T>;
}

interface Waiting {
  readonly size: number;
  readonly start: () => void;
}

/**
 * Alike work done together finds its code and tables in the processor's caches, where work that alternates with other
 * work finds them gone: scans of some ten requests at once cost a third less. Once jobs of `maxCost` size are done, the
 * others wait for the next turn, so that no turn gets long. Organizations take turns, so that none has to wait until
 * another one's jobs are all done.
 */
export function createTurnQueue(maxCost: number): TurnQueue {
  const waiting = createFairQueue<Waiting>();

  function work(): void {
    for (let size = 0; size < maxCost; ) {
      const job = waiting.take();
      if (job === undefined) return;
      size += job.size;
      job.start();
    }
    if (waiting.size > 0) setImmediate(work);
  }

  return {
    run(owner, size, job) {
      return new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(work);
        const start = (): void => {
          try {
            resolve(job());
          } catch (error) {
            reject(error);
          }
        };
        waiting.add(owner, size, { size, start });
      });
    },
  };
}
