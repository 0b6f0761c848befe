/** On whose behalf work is done: organizations take turns, and inside one its devices; `null` is everything else of it. */
export interface WorkOwner {
  readonly organizationId: string;
  readonly deviceId: string | null;
}

export interface FairQueue<T extends object> {
  readonly size: number;
  /** `cost`: about how much work the item is, in any unit. */
  add(owner: WorkOwner, cost: number, item: T): void;
  /** Removes and returns the next item in turn; undefined if nothing waits. */
  take(): T | undefined;
  /** Removes an item that is no longer wanted. */
  remove(item: T): void;
}

/**
 * Start-time fair queueing, for organizations and again for the devices of each: next is the one that has had the
 * least work done since it began to wait. So what comes new waits for at most one item of each other organization,
 * however many items that has in the queue and however large they are.
 */
export function createFairQueue<T extends object>(): FairQueue<T> {
  const organizations = new Turns<Turns<Set<T>>>();
  const placeOf = new Map<T, { readonly owner: WorkOwner; readonly cost: number }>();
  return {
    get size() {
      return placeOf.size;
    },
    add(owner, cost, item) {
      placeOf.set(item, { owner, cost });
      organizations
        .join(owner.organizationId, () => new Turns())
        .join(owner.deviceId ?? '', () => new Set())
        .add(item);
    },
    take() {
      const organization = organizations.next();
      const device = organization?.queue.next();
      if (organization === undefined || device === undefined) {
        organizations.forget();
        return undefined;
      }
      const item = device.queue.values().next().value!;
      const { cost } = placeOf.get(item)!;
      placeOf.delete(item);
      device.queue.delete(item);
      organization.queue.serve(device, cost, device.queue.size === 0);
      organizations.serve(organization, cost, organization.queue.isEmpty);
      return item;
    },
    remove(item) {
      const place = placeOf.get(item);
      if (place === undefined) return;
      placeOf.delete(item);
      const { organizationId, deviceId } = place.owner;
      const devices = organizations.get(organizationId)!;
      const items = devices.get(deviceId ?? '')!;
      items.delete(item);
      if (items.size === 0) devices.leave(deviceId ?? '');
      if (devices.isEmpty) organizations.leave(organizationId);
    },
  };
}

interface Party<Q> {
  readonly key: string;
  readonly queue: Q;
  /** The work at which it is its turn. */
  start: number;
}

/** Parties that wait, and where those stand that were served lately. */
class Turns<Q> {
  private readonly waiting = new Map<string, Party<Q>>();
  /** Of parties with nothing waiting: what they were served beyond `reached`, so that it counts when they come back. */
  private readonly ahead = new Map<string, number>();
  private reached = 0;

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  get(key: string): Q | undefined {
    return this.waiting.get(key)?.queue;
  }

  join(key: string, create: () => Q): Q {
    let party = this.waiting.get(key);
    if (party === undefined) {
      party = { key, queue: create(), start: Math.max(this.reached, this.ahead.get(key) ?? 0) };
      this.ahead.delete(key);
      this.waiting.set(key, party);
    }
    return party.queue;
  }

  /** The one with the least work done; the one that has waited longer where they are equal. */
  next(): Party<Q> | undefined {
    let first: Party<Q> | undefined;
    for (const party of this.waiting.values())
      if (first === undefined || party.start < first.start) first = party;
    return first;
  }

  serve(party: Party<Q>, cost: number, isDone: boolean): void {
    this.reached = party.start;
    party.start += cost;
    // Served ones stand behind those that are equal.
    this.waiting.delete(party.key);
    if (isDone) this.ahead.set(party.key, party.start);
    else this.waiting.set(party.key, party);
  }

  /** It has nothing waiting any more, and was not served for it. */
  leave(key: string): void {
    this.ahead.set(key, this.waiting.get(key)!.start);
    this.waiting.delete(key);
  }

  /** To be called when nothing waits and nothing runs: who was served before does not count any more. */
  forget(): void {
    this.ahead.clear();
    this.reached = 0;
  }
}
