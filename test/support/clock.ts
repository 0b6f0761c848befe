import type { Clock, Timers } from '../../apps/cloud/src/flows/clock.ts';

/** A clock that the test moves. `elapsed` follows it, and due timers are called in order. */
export interface ManualClock extends Clock, Timers {
  set(ms: number): void;
  advance(ms: number): void;
  /** The number of timers that were neither called nor canceled. */
  readonly waiting: number;
}

export function createManualClock(startMs = Date.UTC(2026, 10, 20, 12, 0, 0)): ManualClock {
  let at = startMs;
  const timers = new Map<object, { readonly dueMs: number; readonly action: () => void }>();
  const set = (ms: number): void => {
    at = ms;
    const due = [...timers].filter(([, { dueMs }]) => dueMs <= at);
    for (const [key, { action }] of due.sort(([, a], [, b]) => a.dueMs - b.dueMs))
      if (timers.delete(key)) action();
  };
  return {
    now: () => at,
    elapsed: () => at,
    set,
    advance: (ms) => set(at + ms),
    after(ms, action) {
      const key = {};
      timers.set(key, { dueMs: at + ms, action });
      return () => timers.delete(key);
    },
    get waiting() {
      return timers.size;
    },
  };
}
