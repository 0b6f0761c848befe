import { waitForNextPoll } from './until.ts';

/** Pauses between polls, to leave the processor to the work and requests in the account's limit per minute. */
const POLL_MS = 25;

/**
 * Polls until the result is the expected one, or was requested a second after now: a later request has to see every
 * change. A slow computer makes responses late, not wrong.
 */
export async function withinASecond<T>(ask: () => Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const changedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (isDue(answer) || askedAt - changedAt >= 1_000) return answer;
    await waitForNextPoll(POLL_MS);
  }
}
