import { setTimeout } from 'node:timers/promises';

/** Ends what hangs: more than twenty times what anything here takes on a busy computer. No result depends on it. */
export const HANG_LIMIT_MS = 120_000;
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 50;

/** Pauses between polls, to leave the processor to the work. No test's result depends on how long it takes. */
export const waitForNextPoll = (ms = FIRST_POLL_MS): Promise<void> => setTimeout(ms);

/** Pauses that grow from poll to poll: what is not so soon takes longer, and each poll costs what is waited for. */
function growingPauses(): () => Promise<void> {
  let ms = FIRST_POLL_MS;
  return () => {
    const pause = waitForNextPoll(ms);
    ms = Math.min(LAST_POLL_MS, ms * 2);
    return pause;
  };
}

/** Polls until the condition is true; fails with `what` if that never happens. */
export async function untilTrue(isSo: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const hangs = AbortSignal.timeout(HANG_LIMIT_MS);
  const pause = growingPauses();
  while (!(await isSo())) {
    if (hangs.aborted) throw new Error(`not so after ${HANG_LIMIT_MS / 1000} seconds: ${what()}`);
    await pause();
  }
}

/** Polls until the result is the expected one; fails with the last one if that never happens. */
export async function until<T>(ask: () => T | Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const hangs = AbortSignal.timeout(HANG_LIMIT_MS);
  const pause = growingPauses();
  for (;;) {
    const answer = await ask();
    if (isDue(answer)) return answer;
    if (hangs.aborted) {
      throw new Error(`not so after ${HANG_LIMIT_MS / 1000} seconds: ${JSON.stringify(answer)}`);
    }
    await pause();
  }
}
