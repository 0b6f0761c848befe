import { setTimeout } from 'node:timers/promises';

/** Ends what hangs: more than twenty times what anything here takes on a busy computer. No result depends on it. */
export const HANG_LIMIT_MS = 120_000;
const POLL_MS = 5;

/** Pauses between polls, to leave the processor to the work. No test's result depends on how long it takes. */
export const waitForNextPoll = (ms = POLL_MS): Promise<void> => setTimeout(ms);

/** Polls until the result is the expected one; fails with the last one if that never happens. */
export async function until<T>(ask: () => T | Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const hangs = AbortSignal.timeout(HANG_LIMIT_MS);
  for (;;) {
    const answer = await ask();
    if (isDue(answer)) return answer;
    if (hangs.aborted) {
      throw new Error(`not so after ${HANG_LIMIT_MS / 1000} seconds: ${JSON.stringify(answer)}`);
    }
    await waitForNextPoll();
  }
}
