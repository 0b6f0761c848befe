import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const BETWEEN_LOOKS_MS = 5;

/** Leaves the processor to what is waited for. No test is true or false by how long it takes. */
export const nextLook = (ms = BETWEEN_LOOKS_MS): Promise<void> => setTimeout(ms);

/** Asks until the answer is the one that is due; fails after a minute with the last one. */
export async function until<T>(ask: () => Promise<T>, isDue: (answer: T) => boolean): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await ask();
    if (isDue(answer)) return answer;
    if (performance.now() - startedMs > PATIENCE_MS) {
      throw new Error(`not so after ${PATIENCE_MS / 1000} seconds: ${JSON.stringify(answer)}`);
    }
    await nextLook();
  }
}
