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
  /** Removes an item of this owner that is no longer wanted. */
  remove(owner: WorkOwner, item: T): void;
}

interface Entry<T> {
  readonly item: T;
  readonly cost: number;
}

/**
 * Creates a queue with start-time fair queueing between organizations, and between the devices of each: the next item
 * belongs to the one with the least work done since it began to wait. A new item thus waits for at most one item of
 * each other organization, however many or large their items are.
 *
 * Items are in arrays only. A Map or Set that grows and shrinks for long keeps what was deleted alive: V8 links each of
 * its discarded tables to the next, and a young collection follows these links from the first one that is old.
 */
export function createFairQueue<T extends object>(): FairQueue<T> {
  const organizations = new Turns<Turns<Entry<T>[]>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(owner, cost, item) {
      size++;
      organizations
        .join(owner.organizationId, () => new Turns())
        .join(owner.deviceId ?? '', () => [])
        .push({ item, cost });
    },
    take() {
      const organization = organizations.next();
      const device = organization?.queue.next();
      if (organization === undefined || device === undefined) {
        organizations.forget();
        return undefined;
      }
      size--;
      const { item, cost } = device.queue.shift()!;
      organization.queue.serve(device, cost, device.queue.length === 0);
      organizations.serve(organization, cost, organization.queue.isEmpty);
      return item;
    },
    remove({ organizationId, deviceId }, item) {
      const devices = organizations.get(organizationId);
      const entries = devices?.get(deviceId ?? '');
      const at = entries?.findIndex((entry) => entry.item === item) ?? -1;
      if (devices === undefined || entries === undefined || at === -1) return;
      size--;
      entries.splice(at, 1);
      if (entries.length === 0) devices.leave(deviceId ?? '');
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
  private readonly waiting: Participant<Q>[] = [];
  /** Start times of participants without waiting items: they apply when these return. */
  private ahead: Map<string, number> | undefined;
  private reached = 0;

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  get(key: string): Q | undefined {
    return this.waiting.find((participant) => participant.key === key)?.queue;
  }

  join(key: string, create: () => Q): Q {
    const known = this.get(key);
    if (known !== undefined) return known;
    const queue = create();
    this.waiting.push({ key, queue, start: Math.max(this.reached, this.ahead?.get(key) ?? 0) });
    return queue;
  }

  /** Returns the participant with the least work done; of equals, the one that has waited longest. */
  next(): Participant<Q> | undefined {
    let first = this.waiting[0];
    for (const participant of this.waiting) if (participant.start < first!.start) first = participant;
    return first;
  }

  serve(participant: Participant<Q>, cost: number, isDone: boolean): void {
    this.reached = participant.start;
    participant.start += cost;
    this.waiting.splice(this.waiting.indexOf(participant), 1);
    // Served participants move behind equal ones.
    if (isDone) this.keepStart(participant);
    else this.waiting.push(participant);
  }

  /** Removes a participant without waiting items that was not served. */
  leave(key: string): void {
    const at = this.waiting.findIndex((participant) => participant.key === key);
    for (const participant of this.waiting.splice(at, 1)) this.keepStart(participant);
  }

  private keepStart({ key, start }: Participant<Q>): void {
    this.ahead ??= new Map();
    this.ahead.set(key, start);
  }

  /** Call only if nothing waits and nothing runs: previous work no longer matters. */
  forget(): void {
    this.ahead = undefined;
    this.reached = 0;
  }
}
