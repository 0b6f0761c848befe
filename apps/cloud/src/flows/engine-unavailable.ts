import type { Unscanned } from '@csg/shared/contract';

export const NOT_SCANNED =
  'The text was not scanned, because the engine could not run, and the project allows texts then (fail_mode open).';

/** Returns one entry for each message of a request that was allowed without a scan. */
export function engineUnavailable(messages: number): Unscanned[] {
  return Array.from({ length: messages }, (_, index) => ({
    index,
    reason: 'engine_unavailable' as const,
    detail: NOT_SCANNED,
  }));
}
