import { hash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { FailureHold } from './failure-hold.ts';
import { redisFault } from './redis-fault.ts';

const CHANNEL = 'csg:holds';
const SILENCE_MS = 2_000;

/** Something that one instance counted, for the others to count too. */
interface Told {
  readonly from: string;
  readonly hold: string;
  readonly act: 'fail' | 'undo';
  /** A digest: names of accounts are nobody's to read on the way. */
  readonly key: string;
}

export interface RedisHolds {
  /** The same hold, counted by all instances under that name: whoever guesses at one has guessed at all. */
  share(name: string, hold: FailureHold): FailureHold;
  close(): Promise<void>;
}

/**
 * Every instance keeps its own count and tells the others what it counted, so that a look costs nothing and none
 * depends on Redis: while that is away each counts alone. Rejects with one sentence where it is not there at first.
 */
export async function openRedisHolds(url: string): Promise<RedisHolds> {
  const self = randomUUID();
  const connect = () =>
    new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      socketTimeout: SILENCE_MS,
      connectTimeout: SILENCE_MS,
      keepAlive: 5 * SILENCE_MS,
      retryStrategy: (attempt) => Math.min(1_000, 100 * attempt),
    }).on('error', () => {
      // The limiter, which asks all the time, says so.
    });
  const listener = connect();
  const speaker = connect();
  const holds = new Map<string, FailureHold>();
  listener.on('message', (_channel, text) => {
    const { from, hold, act, key } = JSON.parse(text) as Told;
    if (from !== self) holds.get(hold)?.[act](key);
  });
  try {
    await Promise.all([listener.connect(), speaker.connect()]);
    await listener.subscribe(CHANNEL);
  } catch (error) {
    listener.disconnect();
    speaker.disconnect();
    throw new Error(redisFault(error, url));
  }

  return {
    share(name, hold) {
      holds.set(name, hold);
      const tell = (act: Told['act'], key: string): void => {
        speaker
          .publish(CHANNEL, JSON.stringify({ from: self, hold: name, act, key } satisfies Told))
          .catch(() => {});
      };
      const digest = (address: string): string => hash('sha256', `${name} ${address}`, 'base64url');
      return {
        heldS: (address) => hold.heldS(digest(address)),
        fail(address) {
          const key = digest(address);
          tell('fail', key);
          return hold.fail(key);
        },
        undo(address) {
          const key = digest(address);
          tell('undo', key);
          hold.undo(key);
        },
      };
    },
    async close() {
      listener.disconnect();
      speaker.disconnect();
    },
  };
}
