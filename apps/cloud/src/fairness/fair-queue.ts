/** Owner of work: organizations take turns and, within one, its devices; `null` is all other work of the organization. */
export interface WorkOwner {
  readonly organizationId: string;
  readonly deviceId: string | null;
}

export interface FairQueue<T extends object> {
  readonly size: number;
  /** `cost`: approximate amount of work, in any unit. */
  add(owner: WorkOwner, cost: number, item: T): void;
  /** Removes and returns the next item; undefined if the queue is empty. */
  take(): T | undefined;
  /** Removes an item that is no longer wanted. */
  remove(item: T): void;
}

/**
 * Creates a queue with start-time fair queueing between organizations, and between the devices of each: the next item
 * belongs to the one with the least work done since it began to wait. A new item thus waits for at most one item of
 * each other organization, however many or large their items are.
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
  /** Virtual start time: the amount of work after which it is served. */
  start: number;
}

/** Waiting participants, and the start times of those that were recently served. */
class Turns<Q> {
  private readonly waiting = new Map<string, Participant<Q>>();
  /** Start times, beyond `reached`, of participants without waiting items: they apply when these return. */
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

  /** Returns the participant with the least work done; of equals, the one that has waited longest. */
  next(): Participant<Q> | undefined {
    let first: Participant<Q> | undefined;
    for (const participant of this.waiting.values())
      if (first === undefined || participant.start < first.start) first = participant;
    return first;
  }

  serve(participant: Participant<Q>, cost: number, isDone: boolean): void {
    this.reached = participant.start;
    participant.start += cost;
    // Served participants move behind equal ones.
    this.waiting.delete(participant.key);
    if (isDone) this.ahead.set(participant.key, participant.start);
    else this.waiting.set(participant.key, participant);
  }

  /** Removes a participant without waiting items that was not served. */
  leave(key: string): void {
    this.ahead.set(key, this.waiting.get(key)!.start);
    this.waiting.delete(key);
  }

  /** Call only if nothing waits and nothing runs: previous work no longer matters. */
  forget(): void {
    this.ahead.clear();
    this.reached = 0;
  }
}
