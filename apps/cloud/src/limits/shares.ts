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

/** What is in hand of everybody, of an organization, or of one of its devices. */
interface Held {
  requests: number;
  bytes: number;
  readonly parts: Map<string, Held>;
}

/**
 * Counts what is in hand against a limit. One owner may take all of it. While it is full, an organization still has
 * room up to an equal part of half of it, and a device up to an equal part of half of its organization's: who comes
 * beside one that floods is served, and the one that floods is not.
 */
export function createShares(limit: Amount): Shares {
  const all = newHeld();
  const pathOf = ({ organizationId, deviceId }: WorkOwner) => [organizationId, deviceId ?? ''];

  return {
    add(owner, sizeBytes) {
      let held = all;
      count(held, sizeBytes, 1);
      for (const name of pathOf(owner)) {
        let part = held.parts.get(name);
        if (part === undefined) {
          part = newHeld();
          held.parts.set(name, part);
        }
        held = part;
        count(held, sizeBytes, 1);
      }
    },
    remove(owner, sizeBytes) {
      let held = all;
      count(held, sizeBytes, -1);
      for (const name of pathOf(owner)) {
        const part = held.parts.get(name)!;
        count(part, sizeBytes, -1);
        if (part.requests === 0) held.parts.delete(name);
        held = part;
      }
    },
    hasRoom(owner) {
      let held = all;
      let most = limit;
      for (const name of pathOf(owner)) {
        if (isBelow(held, most)) return true;
        const part = held.parts.get(name);
        const sharers = 2 * (held.parts.size + (part === undefined ? 1 : 0));
        most = { requests: most.requests / sharers, bytes: most.bytes / sharers };
        held = part ?? newHeld();
      }
      return isBelow(held, most);
    },
    read: () => ({ requests: all.requests, bytes: all.bytes }),
  };
}

function newHeld(): Held {
  return { requests: 0, bytes: 0, parts: new Map() };
}

function count(held: Held, sizeBytes: number, by: 1 | -1): void {
  held.requests += by;
  held.bytes += by * sizeBytes;
}

function isBelow(held: Amount, most: Amount): boolean {
  return held.requests < most.requests && held.bytes < most.bytes;
}
