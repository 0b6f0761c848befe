import type { Clock } from '../../apps/cloud/src/flows/clock.ts';

/** A clock moved by hand. `elapsed` follows it. */
export interface HandClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
}

export function createHandClock(startMs = Date.UTC(2026, 10, 20, 12, 0, 0)): HandClock {
  let at = startMs;
  return {
    now: () => at,
    elapsed: () => at,
    set: (ms) => {
      at = ms;
    },
    advance: (ms) => {
      at += ms;
    },
  };
}
