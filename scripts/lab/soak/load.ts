import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../../test/support/random.ts';
import { ANSWER, STREAMED } from '../bench/answers.ts';
import { KINDS, type Kind, type Trouble } from './kinds.ts';
import type { SoakProvider } from './provider.ts';

/** Share of failing requests during a disturbance. */
const TROUBLED = 0.1;
/** Maximum number of open requests before the load waits. */
const MAX_IN_FLIGHT = 400;
const MAX_BEHIND_MS = 500;
const MAX_PROBLEMS = 100;

export interface Sent {
  /** By the id that the service assigned. */
  readonly expected: ReadonlyMap<string, Kind>;
  readonly sent: ReadonlyMap<Kind, number>;
  /** Number of requests of clients that left: they never learned their ids. */
  readonly left: number;
  /** Sentences about unexpected responses, and their counts. */
  readonly problems: ReadonlyMap<string, number>;
}

export interface Load extends Sent {
  /** Sends for this many seconds, longer if the machine is too slow; resolves when all have a response. */
  run(seconds: number, perSecond: number, trouble: Trouble | null): Promise<void>;
}

export function createLoad(
  gateway: { readonly address: string; readonly key: string },
  provider: SoakProvider,
  seed: number,
): Load {
  const random = seededRandom(seed);
  const expected = new Map<string, Kind>();
  const sent = new Map<Kind, number>();
  const problems = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  let left = 0;
  let marks = 0;
  const complain = (kind: Kind, what: string): void => {
    const problem = `${kind.name}: ${what}`;
    if (problems.size < MAX_PROBLEMS || problems.has(problem))
      problems.set(problem, (problems.get(problem) ?? 0) + 1);
  };

  async function send(kind: Kind): Promise<void> {
    const mark = `mark-${++marks}`;
    const leaving = new AbortController();
    if (kind.leaves) void provider.arrival(mark).then(() => leaving.abort());
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
    const received = Buffer.from(await response.arrayBuffer());
    expected.set(response.headers.get('x-request-id') ?? '', kind);
    if (response.status !== kind.status) return complain(kind, `status ${response.status}, ${received}`);
    const decision = response.headers.get('x-service-decision');
    if (decision !== kind.decision) complain(kind, `decision ${decision}`);
    const isWhole = 'stream' in body ? received.equals(STREAMED) : received.equals(ANSWER);
    if (kind.events === 2 && !isWhole)
      complain(kind, `a body of ${received.length} bytes that differs from the provider's`);
  }

  function begin(kind: Kind): void {
    sent.set(kind, (sent.get(kind) ?? 0) + 1);
    const request: Promise<void> = send(kind)
      .catch((error: unknown) => {
        if (kind.leaves && (error as Error).name === 'AbortError') left += 1;
        else complain(kind, `${error}, ${(error as Error).cause}`);
      })
      .finally(() => inFlight.delete(request));
    inFlight.add(request);
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
    problems,
    get left() {
      return left;
    },
    async run(seconds, perSecond, trouble) {
      const everyMs = 1_000 / perSecond;
      let dueMs = performance.now();
      for (let n = 0; n < seconds * perSecond; n++, dueMs += everyMs) {
        const waitMs = dueMs - performance.now();
        if (waitMs > 1) await pause(waitMs);
        // After a stall of the machine the missed requests are not sent in a burst.
        else if (waitMs < -MAX_BEHIND_MS) dueMs -= waitMs;
        if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
        begin(choose(trouble));
      }
      await Promise.all(inFlight);
    },
  };
}
