import type { WorkOwner } from '../fairness/fair-queue.ts';

export interface Amount {
  readonly requests: number;
  readonly bytes: number;
}

export interface Shares {
  add(owner: WorkOwner, sizeBytes: number): void;
  remove(owner: WorkOwner, sizeBytes: number): void;
  hasRoom(owner: WorkOwner): boolean;
  read(): Amount;
}

/** Load of all organizations, of one organization, or of one of its devices. */
interface InFlight {
  requests: number;
  bytes: number;
  parts: Map<string, InFlight>;
}

/**
 * Counts load against a limit. One owner may use all of it. If the limit is reached, an organization may still use up
 * to an equal share of half of it, and a device up to an equal share of half of its organization's: others are served
 * when one owner floods the service, and that owner is not.
 */
export function createShares(limit: Amount): Shares {
  const all = newInFlight();
  const pathOf = ({ organizationId, deviceId }: WorkOwner) => [organizationId, deviceId ?? ''];

  return {
    add(owner, sizeBytes) {
      let inFlight = all;
      count(inFlight, sizeBytes, 1);
      for (const name of pathOf(owner)) {
        let part = inFlight.parts.get(name);
        if (part === undefined) {
          part = newInFlight();
          inFlight.parts.set(name, part);
        }
        inFlight = part;
        count(inFlight, sizeBytes, 1);
      }
    },
    remove(owner, sizeBytes) {
      let inFlight = all;
      count(inFlight, sizeBytes, -1);
      if (all.requests === 0) {
        // Not deleted from: the tables that a Map discards keep each other alive (fair-queue.ts).
        all.parts = new Map();
        return;
      }
      for (const name of pathOf(owner)) {
        const part = inFlight.parts.get(name)!;
        count(part, sizeBytes, -1);
        if (part.requests === 0) inFlight.parts.delete(name);
        inFlight = part;
      }
    },
    hasRoom(owner) {
      let inFlight = all;
      let max = limit;
      for (const name of pathOf(owner)) {
        if (isBelow(inFlight, max)) return true;
        const part = inFlight.parts.get(name);
        const sharers = 2 * (inFlight.parts.size + (part === undefined ? 1 : 0));
        max = { requests: max.requests / sharers, bytes: max.bytes / sharers };
        inFlight = part ?? newInFlight();
      }
      return isBelow(inFlight, max);
    },
    read: () => ({ requests: all.requests, bytes: all.bytes }),
  };
}

function newInFlight(): InFlight {
  return { requests: 0, bytes: 0, parts: new Map() };
}

function count(inFlight: InFlight, sizeBytes: number, by: 1 | -1): void {
  inFlight.requests += by;
  inFlight.bytes += by * sizeBytes;
}

function isBelow(inFlight: Amount, max: Amount): boolean {
  return inFlight.requests < max.requests && inFlight.bytes < max.bytes;
}
