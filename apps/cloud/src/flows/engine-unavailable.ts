import type { Unscanned } from '@csg/shared/contract';

export const NOT_SCANNED =
  'The text was not scanned because the engine could not run. It was allowed by the fail_mode of the project (open).';

/** Returns one entry for each message of a request that was allowed without a scan. */
export function engineUnavailable(messages: number): Unscanned[] {
  return Array.from({ length: messages }, (_, index) => ({
    index,
    reason: 'engine_unavailable' as const,
    detail: NOT_SCANNED,
  }));
}
