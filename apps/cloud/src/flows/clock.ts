/** Time source of the flows, injected so that tests can control it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
}

/** Timers, injected like the clock. */
export interface Timers {
  /** Calls `action` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, action: () => void): () => void;
}

/** Rounds milliseconds for responses, to the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
