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
  const entries = new Map<T, { readonly owner: WorkOwner; readonly cost: number }>();
  return {
    get size() {
      return entries.size;
    },
    add(owner, cost, item) {
      entries.set(item, { owner, cost });
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
      const { cost } = entries.get(item)!;
      entries.delete(item);
      device.queue.delete(item);
      organization.queue.serve(device, cost, device.queue.size === 0);
      organizations.serve(organization, cost, organization.queue.isEmpty);
      return item;
    },
    remove(item) {
      const entry = entries.get(item);
      if (entry === undefined) return;
      entries.delete(item);
      const { organizationId, deviceId } = entry.owner;
      const devices = organizations.get(organizationId)!;
      const items = devices.get(deviceId ?? '')!;
      items.delete(item);
      if (items.size === 0) devices.leave(deviceId ?? '');
      if (devices.isEmpty) organizations.leave(organizationId);
    },
  };
}

interface Participant<Q> {
  readonly key: string;
  readonly queue: Q;
  /** The work at which it is its turn. */
  start: number;
}

/** Parties that wait, and where those stand that were served lately. */
class Turns<Q> {
  private readonly waiting = new Map<string, Participant<Q>>();
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
    let participant = this.waiting.get(key);
    if (participant === undefined) {
      participant = { key, queue: create(), start: Math.max(this.reached, this.ahead.get(key) ?? 0) };
      this.ahead.delete(key);
      this.waiting.set(key, participant);
    }
    return participant.queue;
  }

  /** The one with the least work done; the one that has waited longer where they are equal. */
  next(): Participant<Q> | undefined {
    let first: Participant<Q> | undefined;
    for (const participant of this.waiting.values())
      if (first === undefined || participant.start < first.start) first = participant;
    return first;
  }

  serve(participant: Participant<Q>, cost: number, isDone: boolean): void {
    this.reached = participant.start;
    participant.start += cost;
    // Served ones stand behind those that are equal.
    this.waiting.delete(participant.key);
    if (isDone) this.ahead.set(participant.key, participant.start);
    else this.waiting.set(participant.key, participant);
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
