import type { Timers } from '../clock.ts';

/** Returned if the value did not arrive in time. */
export const LATE = Symbol('late');

export async function settledWithin<T>(
  timers: Timers,
  ms: number,
  promise: Promise<T>,
): Promise<T | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>();
  const cancel = timers.after(ms, () => late.resolve(LATE));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}
