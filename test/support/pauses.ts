import type { Steps } from '../../shared/text/index.ts';

/** Does the work, and counts its pauses. */
export function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  return pauses;
}
