import { nextLook } from './until.ts';

/** Leaves the processor to what is waited for, and the account its requests of a minute. */
const BETWEEN_LOOKS_MS = 25;

/**
 * Asks until the answer is the one that is due, or was asked for a second after now: what is asked later than that
 * has to know of every change. A slow machine makes the answers late, not wrong.
 */
export async function withinASecond<T>(ask: () => Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const changedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (isDue(answer) || askedAt - changedAt >= 1_000) return answer;
    await nextLook(BETWEEN_LOOKS_MS);
  }
}
