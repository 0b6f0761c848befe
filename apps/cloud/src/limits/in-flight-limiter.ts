import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createShares } from './shares.ts';

/** One request's part of the work. */
export interface InFlightRequest {
  /** It is answered, or given up. More than once is no harm. */
  end(): void;
}

export interface InFlightLimiter {
  /**
   * Whether one more of this owner may be taken on: there is room, or others keep the owner from an equal part of half
   * of it. If not, it counts as turned away.
   */
  hasRoom(owner: WorkOwner): boolean;
  /** Takes one more on, room or not, and goes on with `next` inside of it. */
  take(owner: WorkOwner, sizeBytes: number, next: (inFlight: InFlightRequest) => void): void;
  /** While another party such as a provider works: until `wait` settles this request is not counted. */
  releaseWhile<T>(wait: () => Promise<T>): Promise<T>;
  /** Whether a request was rejected in the last five seconds. */
  isOverloaded(): boolean;
  /** How much there is now. */
  read(): { readonly requests: number; readonly bytes: number };
}

interface Part {
  readonly owner: WorkOwner;
  readonly sizeBytes: number;
  isInside: boolean;
  isEnded: boolean;
}

/** Long enough to be seen by who looks every few seconds. */
const OVERLOAD_SHOWN_MS = 5_000;

/**
 * Counts the requests that this process itself is busy with: their bodies are here, they are read, judged, recorded.
 * Who still sends a body or waits for a provider is not among them. How many there are at a time is how long one of
 * them takes, which neither delay nor use of the event loop tell (docs/decisions/0008-load-shedding.md). 0 is no limit.
 */
export function createInFlightLimiter(options: {
  readonly requests: number;
  readonly bytes: number;
  /** Milliseconds that only go forward. */
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
        // Its client may have gone meanwhile.
        if (!part.isEnded) move(part, true);
      }
    },
    isOverloaded: () => options.elapsed() - rejectedMs < OVERLOAD_SHOWN_MS,
    read: shares.read,
  };
}
