import { createFairQueue, type WorkOwner } from '../fairness/fair-queue.ts';

/** Jobs collected in one turn of the event loop, run in sequence at its end. */
export interface TurnQueue {
  /** Resolves or rejects with the result of `job`. `size` counts towards the limit of one turn. */
  run<T>(owner: WorkOwner, size: number, job: () => T): Promise<T>;
}

interface Waiting {
  readonly size: number;
  readonly start: () => void;
}

/**
 * Running similar jobs together keeps their code and tables in the CPU caches, while alternating work evicts them: ten
 * concurrent scans cost a third less. After jobs of `maxCost` in size the others wait for the next turn, so that no
 * turn gets long. Organizations take turns, so that none has to wait for all jobs of another.
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
