/** Time as flows take it: handed in, so that tests move it by hand. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that only go up, for durations. */
  elapsed(): number;
}

/** Timers, handed in like the clock. */
export interface Timers {
  /** Calls `action` once, after so many milliseconds; what is returned cancels that. */
  after(ms: number, action: () => void): () => void;
}

/** Milliseconds as answers tell them: to the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
