import { hash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import Type from 'typebox';
import Schema from 'typebox/schema';
import type { FailureLockout } from './failure-lockout.ts';
import { redisProblem } from './redis-problem.ts';

const CHANNEL = 'csg:holds';
const SILENCE_MS = 2_000;

/** Something that one instance counted, for the others to count too. */
const messageSchema = Type.Object({
  from: Type.String(),
  hold: Type.String(),
  act: Type.Union([Type.Literal('fail'), Type.Literal('undo')]),
  /** A digest: names of accounts must not be readable on the way. */
  key: Type.String({ pattern: '^[\\w-]{43}$' }),
});
type LockoutMessage = Type.Static<typeof messageSchema>;

export interface RedisLockouts {
  /** The same lockout, counted by all instances under that name: an attempt at one instance counts at all. */
  share(name: string, lockout: FailureLockout): FailureLockout;
  close(): Promise<void>;
}

/**
 * Every instance keeps its own count and tells the others what it counted, so that a look costs nothing and none
 * depends on Redis: while that is away each counts alone. Rejects with one sentence where it is not there at first.
 */
export async function openRedisLockouts(url: string): Promise<RedisLockouts> {
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
  const lockouts = new Map<string, FailureLockout>();
  listener.on('message', (_channel, text) => {
    const message = readMessage(text);
    if (message !== null && message.from !== self) lockouts.get(message.hold)?.[message.act](message.key);
  });
  try {
    await Promise.all([listener.connect(), speaker.connect()]);
    await listener.subscribe(CHANNEL);
  } catch (error) {
    listener.disconnect();
    speaker.disconnect();
    throw new Error(redisProblem(error, url));
  }

  return {
    share(name, lockout) {
      lockouts.set(name, lockout);
      const publish = (act: LockoutMessage['act'], key: string): void => {
        speaker
          .publish(CHANNEL, JSON.stringify({ from: self, hold: name, act, key } satisfies LockoutMessage))
          .catch(() => {});
      };
      const digest = (address: string): string => hash('sha256', `${name} ${address}`, 'base64url');
      return {
        lockoutS: (address) => lockout.lockoutS(digest(address)),
        fail(address) {
          const key = digest(address);
          publish('fail', key);
          return lockout.fail(key);
        },
        undo(address) {
          const key = digest(address);
          publish('undo', key);
          lockout.undo(key);
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
function readMessage(text: string): LockoutMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    return Schema.Check(messageSchema, value) ? value : null;
  } catch {
    return null;
  }
}
