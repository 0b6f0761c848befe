/** Time as flows take it: handed in, so that tests move it by hand. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that only go up, for durations. */
  elapsed(): number;
}
