import { setTimeout as pause } from 'node:timers/promises';
import { ANSWER, STREAMED } from '../../test/bench/answers.ts';
import { seededRandom } from '../../test/support/random.ts';
import { KINDS, type Kind, type Trouble } from './kinds.ts';
import type { SoakVendor } from './vendor.ts';

/** Part of the requests that go wrong while there is trouble. */
const TROUBLED = 0.1;
/** Requests under way before the load waits for them. */
const MOST_UNDER_WAY = 400;
const MOST_BEHIND_MS = 500;
const MOST_FAULTS = 100;

export interface Sent {
  /** By the id that the service gave it. */
  readonly expected: ReadonlyMap<string, Kind>;
  readonly sent: ReadonlyMap<Kind, number>;
  /** Of clients that left: their requests have no id that they knew. */
  readonly left: number;
  /** Sentences about answers that were not as they had to be, and how often. */
  readonly faults: ReadonlyMap<string, number>;
}

export interface Load extends Sent {
  /** Sends for so many seconds, longer where the machine does not keep up; resolves when all are answered. */
  run(seconds: number, perSecond: number, trouble: Trouble | null): Promise<void>;
}

export function createLoad(
  gateway: { readonly address: string; readonly key: string },
  vendor: SoakVendor,
  seed: number,
): Load {
  const random = seededRandom(seed);
  const expected = new Map<string, Kind>();
  const sent = new Map<Kind, number>();
  const faults = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let left = 0;
  let marks = 0;
  const complain = (kind: Kind, what: string): void => {
    const fault = `${kind.name}: ${what}`;
    if (faults.size < MOST_FAULTS || faults.has(fault)) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  };

  async function send(kind: Kind): Promise<void> {
    const mark = `mark-${++marks}`;
    const leaving = new AbortController();
    if (kind.leaves) void vendor.arrival(mark).then(() => leaving.abort());
    const body = kind.body(mark);
    const response = await fetch(`${gateway.address}${kind.path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        'content-type': 'application/json',
        'x-api-key': gateway.key,
        authorization: 'Bearer sk-soak-0123456789abcdef',
      },
      body: JSON.stringify(body),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    expected.set(response.headers.get('x-request-id') ?? '', kind);
    if (response.status !== kind.status) return complain(kind, `status ${response.status}, ${answer}`);
    const decision = response.headers.get('x-service-decision');
    if (decision !== kind.decision) complain(kind, `decision ${decision}`);
    const isWhole = 'stream' in body ? answer.equals(STREAMED) : answer.equals(ANSWER);
    if (kind.events === 2 && !isWhole)
      complain(kind, `an answer of ${answer.length} bytes, not the vendor's`);
  }

  function begin(kind: Kind): void {
    sent.set(kind, (sent.get(kind) ?? 0) + 1);
    const request: Promise<void> = send(kind)
      .catch((error: unknown) => {
        if (kind.leaves && (error as Error).name === 'AbortError') left += 1;
        else complain(kind, `${error}, ${(error as Error).cause}`);
      })
      .finally(() => underWay.delete(request));
    underWay.add(request);
  }

  function choose(trouble: Trouble | null): Kind {
    if (trouble !== null && trouble.kinds.length > 0 && random() < TROUBLED) {
      return trouble.kinds[Math.floor(random() * trouble.kinds.length)] as Kind;
    }
    let rest = random() * 100;
    for (const kind of KINDS) {
      rest -= kind.share;
      if (rest < 0) return kind;
    }
    return KINDS[0] as Kind;
  }

  return {
    expected,
    sent,
    faults,
    get left() {
      return left;
    },
    async run(seconds, perSecond, trouble) {
      const everyMs = 1_000 / perSecond;
      let dueMs = performance.now();
      for (let n = 0; n < seconds * perSecond; n++, dueMs += everyMs) {
        const waitMs = dueMs - performance.now();
        if (waitMs > 1) await pause(waitMs);
        // A machine that was busy elsewhere is no reason to send all at once what it missed.
        else if (waitMs < -MOST_BEHIND_MS) dueMs -= waitMs;
        if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
        begin(choose(trouble));
      }
      await Promise.all(underWay);
    },
  };
}
