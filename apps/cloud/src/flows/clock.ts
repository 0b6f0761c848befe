/** Time as flows take it: handed in, so that tests move it by hand. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that only go up, for durations. */
  elapsed(): number;
}

/** Milliseconds as answers tell them: to the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
