import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createShares } from './shares.ts';

/** One request that is counted while it is processed. */
export interface InFlightRequest {
  /** Called when the request is answered or aborted. Repeated calls have no effect. */
  end(): void;
}

export interface InFlightLimiter {
  /**
   * Returns whether one more request of this owner may be accepted: there is capacity, or the owner is below an equal
   * share of half of it. Otherwise the request counts as rejected.
   */
  hasRoom(owner: WorkOwner): boolean;
  /** Counts one more request, regardless of capacity, and runs `next` in its context. */
  take(owner: WorkOwner, sizeBytes: number, next: (inFlight: InFlightRequest) => void): void;
  /** Does not count this request while `wait` is pending, such as on a provider. */
  releaseWhile<T>(wait: () => Promise<T>): Promise<T>;
  /** Returns whether a request was rejected in the last five seconds. */
  isOverloaded(): boolean;
  /** Returns the current load. */
  read(): { readonly requests: number; readonly bytes: number };
}

interface Part {
  readonly owner: WorkOwner;
  readonly sizeBytes: number;
  isInside: boolean;
  isEnded: boolean;
}

/** Long enough for a poll every few seconds to see it. */
const OVERLOAD_SHOWN_MS = 5_000;

/**
 * Counts the requests that this process is working on: their bodies have arrived and are being read, evaluated and
 * recorded. Requests that are still sending a body or waiting for a provider are not counted. The number of concurrent
 * requests determines the duration of each, which neither the delay nor the utilization of the event loop shows
 * (docs/decisions/0008-load-shedding.md). 0 means no limit.
 */
export function createInFlightLimiter(options: {
  readonly requests: number;
  readonly bytes: number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}): InFlightLimiter {
  const current = new AsyncLocalStorage<Part>();
  const shares = createShares({
    requests: options.requests || Number.POSITIVE_INFINITY,
    bytes: options.bytes || Number.POSITIVE_INFINITY,
  });
  let rejectedMs = Number.NEGATIVE_INFINITY;

  function move(part: Part, isInside: boolean): void {
    if (part.isInside === isInside) return;
    part.isInside = isInside;
    if (isInside) shares.add(part.owner, part.sizeBytes);
    else shares.remove(part.owner, part.sizeBytes);
  }

  return {
    hasRoom(owner) {
      if (shares.hasRoom(owner)) return true;
      rejectedMs = options.elapsed();
      return false;
    },
    take(owner, sizeBytes, next) {
      const part: Part = { owner, sizeBytes, isInside: false, isEnded: false };
      move(part, true);
      const end = () => {
        part.isEnded = true;
        move(part, false);
      };
      current.run(part, next, { end });
    },
    async releaseWhile(wait) {
      const part = current.getStore();
      if (part === undefined || !part.isInside) return await wait();
      move(part, false);
      try {
        return await wait();
      } finally {
        // The client may have disconnected in the meantime.
        if (!part.isEnded) move(part, true);
      }
    },
    isOverloaded: () => options.elapsed() - rejectedMs < OVERLOAD_SHOWN_MS,
    read: shares.read,
  };
}
