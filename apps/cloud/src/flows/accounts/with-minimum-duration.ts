import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the work that happens only for known addresses. */
const AT_LEAST_MS = 250;

/** Takes the same time whether there was something to do or not, so that the time does not reveal which addresses exist. */
export async function withMinimumDuration(work: Promise<void>): Promise<void> {
  await Promise.all([work, delay(AT_LEAST_MS)]);
}
