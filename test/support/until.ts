import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const POLL_MS = 5;

/** Pauses between polls, to leave the processor to the work. No test's result depends on how long it takes. */
export const waitForNextPoll = (ms = POLL_MS): Promise<void> => setTimeout(ms);

/** Polls until the result is the expected one; fails after a minute with the last one. */
export async function until<T>(ask: () => Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await ask();
    if (isDue(answer)) return answer;
    if (performance.now() - startedMs > TIMEOUT_MS) {
      throw new Error(`not so after ${TIMEOUT_MS / 1000} seconds: ${JSON.stringify(answer)}`);
    }
    await waitForNextPoll();
  }
}
