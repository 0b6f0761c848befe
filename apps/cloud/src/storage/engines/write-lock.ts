import { StorageError } from '../storage-error.ts';

/** A lock for one writer at a time within this process, in order of arrival. */
export interface WriteLock {
  /** true: the lock is acquired, without waiting. */
  tryAcquire(): boolean;
  acquire(): Promise<void>;
  release(): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

export function createWriteLock(patienceMs: number): WriteLock {
  let held = false;
  const waiters: Waiter[] = [];

  function tryAcquire(): boolean {
    if (held) return false;
    held = true;
    return true;
  }

  return {
    tryAcquire,
    acquire() {
      if (tryAcquire()) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(
            new StorageError(
              'unavailable',
              `Waited ${patienceMs} ms for another write of this process to end.`,
            ),
          );
        }, patienceMs);
        const waiter: Waiter = { resolve, timer };
        waiters.push(waiter);
      });
    },
    release() {
      const next = waiters.shift();
      if (next === undefined) {
        held = false;
        return;
      }
      clearTimeout(next.timer);
      next.resolve();
    },
  };
}
