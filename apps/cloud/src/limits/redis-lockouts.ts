import { hash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import Type from 'typebox';
import Schema from 'typebox/schema';
import type { FailureLockout } from './failure-lockout.ts';
import { redisProblem } from './redis-problem.ts';

const CHANNEL = 'csg:holds';
const SILENCE_MS = 2_000;

/** A count of one instance, sent to the others. */
const messageSchema = Type.Object({
  from: Type.String(),
  hold: Type.String(),
  act: Type.Union([Type.Literal('fail'), Type.Literal('undo')]),
  /** A digest, because account names must not be readable in transit. */
  key: Type.String({ pattern: '^[\\w-]{43}$' }),
});
type LockoutMessage = Type.Static<typeof messageSchema>;

export interface RedisLockouts {
  /** Returns the lockout, counted by all instances under that name: an attempt at one instance counts at all. */
  share(name: string, lockout: FailureLockout): FailureLockout;
  close(): Promise<void>;
}

/**
 * Each instance keeps its own counts and publishes them to the others, so that lookups need no request to Redis: while
 * it is unavailable, each instance counts alone. Rejects with one sentence if Redis is unavailable at the start.
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
      // Reported by the limiter, which uses Redis constantly.
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

/** Returns null for messages from other software: the Redis may be shared. */
function readMessage(text: string): LockoutMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    return Schema.Check(messageSchema, value) ? value : null;
  } catch {
    return null;
  }
}
