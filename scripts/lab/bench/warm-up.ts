import { type Load, runLoad } from './run-load.ts';

/** What a process gets before it is measured: it ends with whichever comes first. */
export interface WarmUp {
  /** V8 goes on compiling for some ten thousand of them, however long they take. */
  readonly requests: number;
  readonly mostSeconds: number;
}

const SLICE_SECONDS = 2;

/** Loads a process until it is warm. Returns how many requests it answered. */
export async function warmUp(load: Omit<Load, 'seconds'>, wanted: WarmUp): Promise<number> {
  let requests = 0;
  for (let seconds = 0; seconds < wanted.mostSeconds && requests < wanted.requests; ) {
    const slice = Math.min(SLICE_SECONDS, wanted.mostSeconds - seconds);
    requests += (await runLoad({ ...load, seconds: slice })).requests;
    seconds += slice;
  }
  return requests;
}
