import { hash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import Type from 'typebox';
import Value from 'typebox/value';
import type { FailureHold } from './failure-hold.ts';
import { redisFault } from './redis-fault.ts';

const CHANNEL = 'csg:holds';
const SILENCE_MS = 2_000;

/** Something that one instance counted, for the others to count too. */
const toldSchema = Type.Object({
  from: Type.String(),
  hold: Type.String(),
  act: Type.Union([Type.Literal('fail'), Type.Literal('undo')]),
  /** A digest: names of accounts are nobody's to read on the way. */
  key: Type.String({ pattern: '^[\\w-]{43}$' }),
});
type Told = Type.Static<typeof toldSchema>;

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
    const told = readTold(text);
    if (told !== null && told.from !== self) holds.get(told.hold)?.[told.act](told.key);
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

/** Null for what no instance of ours said: others may use the same Redis. */
function readTold(text: string): Told | null {
  try {
    const said: unknown = JSON.parse(text);
    return Value.Check(toldSchema, said) ? said : null;
  } catch {
    return null;
  }
}
