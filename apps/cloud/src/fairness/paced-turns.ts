import type { Steps } from '@csg/shared/text';
import { createFairQueue, type WorkOwner } from './fair-queue.ts';

/** Long work on the event loop, in slices. */
export interface PacedTurns {
  /**
   * Does the work: at once as far as this turn of the event loop has time for it, and the rest in later turns. Settles
   * with its result.
   */
  run<T>(owner: WorkOwner, work: Steps<T>): Promise<T>;
  /** Does the work if this turn of the event loop has time for all of it; otherwise drops it, and returns undefined. */
  tryNow<T extends object>(work: Steps<T>): T | undefined;
}

export interface PacedTurnsOptions {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Calls `next` after that time, in another turn of the event loop. */
  readonly wait?: (ms: number, next: () => void) => void;
}

/** Time for such work in one turn of the event loop. */
export const SLICE_MS = 10;
/** A timer this short fires in the next turn of the event loop, an immediate in this one. */
const NEXT_TURN_MS = 1;
/** At the end of a turn a slice may still begin a last step. */
const LEAST_MS = 1;

interface Waiting {
  /** Does a slice of its work. */
  proceed(): void;
}

/**
 * A turn of the event loop has 10 ms for such work, whoever's it is. Short work is done at once. Longer work continues in
 * slices, organizations in turn, each followed by a pause of the same length: slices take at most half of the loop, and
 * other work waits for one of them at most.
 */
export function createPacedTurns({ elapsed, wait = callAfter }: PacedTurnsOptions): PacedTurns {
  const queue = createFairQueue<Waiting>();
  let isRunning = false;
  /** Time of this turn that is used up. */
  let usedMs = 0;

  function doNext(): void {
    const next = queue.take();
    isRunning = next !== undefined;
    if (next === undefined) return;
    const begunMs = elapsed();
    next.proceed();
    wait(elapsed() - begunMs, doNext);
  }

  function beginTurn(): void {
    usedMs = 0;
  }

  /** Returns the result, or undefined if the slice ended before the work did. */
  function slice<T>(work: Steps<T>, ms: number): IteratorReturnResult<T> | undefined {
    const begunMs = elapsed();
    if (usedMs === 0) wait(0, beginTurn);
    try {
      do {
        const step = work.next();
        if (step.done === true) return step;
      } while (elapsed() - begunMs < ms);
      return undefined;
    } finally {
      usedMs += Math.max(elapsed() - begunMs, Number.MIN_VALUE);
    }
  }

  return {
    tryNow: (work) => (usedMs < SLICE_MS ? slice(work, SLICE_MS - usedMs)?.value : undefined),
    async run<T>(owner: WorkOwner, work: Steps<T>): Promise<T> {
      if (usedMs < SLICE_MS) {
        const done = slice(work, SLICE_MS - usedMs);
        if (done !== undefined) return done.value;
      }
      return new Promise<T>((resolve, reject) => {
        const proceed = (): void => {
          const begunMs = elapsed();
          try {
            const done = slice(work, Math.max(LEAST_MS, SLICE_MS - usedMs));
            if (done === undefined) queue.add(owner, Math.max(1, elapsed() - begunMs), { proceed });
            else resolve(done.value);
          } catch (error) {
            reject(error);
          }
        };
        queue.add(owner, 1, { proceed });
        if (isRunning) return;
        isRunning = true;
        wait(NEXT_TURN_MS, doNext);
      });
    },
  };
}

function callAfter(ms: number, next: () => void): void {
  if (ms < 1) setImmediate(next);
  else setTimeout(next, ms);
}
