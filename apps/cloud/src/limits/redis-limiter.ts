import { Redis } from 'ioredis';
import { type MinuteLimiter, type MinuteWindow, windowOf } from './minute-limiter.ts';
import { createMinuteMemory } from './minute-memory.ts';
import { redisFault } from './redis-fault.ts';

/**
 * Counts in one step, by Redis's own clock, so that instances with other clocks agree. What the asking instance knows
 * of the same minute counts too: a Redis that was restarted goes on where they were. Returns {allowed, count, minute}.
 */
const TAKE = `
local minute = math.floor(tonumber(redis.call('TIME')[1]) / 60)
local name = KEYS[1] .. ':' .. minute
local stored = tonumber(redis.call('GET', name) or '0')
local count = stored
if tonumber(ARGV[3]) == minute then count = math.max(stored, tonumber(ARGV[4])) + tonumber(ARGV[5]) end
local allowed = count < tonumber(ARGV[1]) and 1 or 0
if ARGV[2] == '0' then return {allowed, count, minute} end
count = count + allowed
if count > stored then redis.call('SET', name, count, 'EX', 120) end
return {allowed, count, minute}
`;

interface LimiterRedis extends Redis {
  takeMinute(
    key: string,
    limit: number,
    counts: 0 | 1,
    minute: number,
    seen: number,
    owed: number,
  ): Promise<[number, number, number]>;
}

export interface RedisLimiter extends MinuteLimiter {
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
/** No byte for this long is no answer. Longer than the event loop is ever held up. */
const SILENCE_MS = 2_000;

/**
 * Limits shared by every instance. Throws one sentence where Redis cannot be used at the start. Where it is lost, or
 * refuses writes, later on, each instance goes on by itself from what it knows of the minute, so that the limit is
 * never off, and asks twice a second whether Redis is back; then all is shared again, with what was counted meanwhile.
 */
export async function openRedisLimiter(options: {
  readonly url: string;
  readonly now: () => number;
  readonly log: { warn(fields: object, message: string): void; info(message: string): void };
  /** Told at first and whenever it changes. */
  readonly observe?: (isShared: boolean) => void;
  readonly lookEveryMs?: number;
}): Promise<RedisLimiter> {
  const redis = new Redis(options.url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(1_000, 100 * attempt),
  }) as LimiterRedis;
  redis.defineCommand('takeMinute', { numberOfKeys: 1, lua: TAKE });
  const memory = createMinuteMemory(options.now);
  let cause: unknown;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect();
    await tryToWrite();
  } catch (error) {
    redis.disconnect();
    throw new Error(redisFault(cause ?? error, options.url));
  }
  let isShared = true;
  let isLooking = false;
  options.observe?.(true);
  const timer = setInterval(look, options.lookEveryMs ?? LOOK_EVERY_MS).unref();

  async function tryToWrite(): Promise<void> {
    await redis.set('csg:alive', '1', 'EX', 120);
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await tryToWrite();
      if (!isShared) {
        options.log.info('Redis is back: limits are shared again');
        options.observe?.(true);
      }
      isShared = true;
    } catch (error) {
      noteLost(error);
    } finally {
      isLooking = false;
    }
  }

  function noteLost(error: unknown): void {
    if (isShared) {
      options.log.warn(
        { cause: redisFault(error, options.url) },
        'Redis cannot be used: limits are counted by each instance alone for now',
      );
      options.observe?.(false);
    }
    isShared = false;
  }

  async function ask(id: string, limit: number, counts: 0 | 1): Promise<MinuteWindow> {
    const { minute, seen, owed } = memory.look(id);
    // Told once: of those that ask at the same time, the first tells it.
    if (owed > 0 && counts === 1) memory.settle(id, minute, owed);
    try {
      const [allowed, count, now] = await redis.takeMinute(
        `csg:minute:${id}`,
        limit,
        counts,
        minute,
        seen,
        owed,
      );
      if (counts === 1) memory.see(id, now, count);
      return windowOf(allowed === 1, limit, count, now);
    } catch (error) {
      if (counts === 1) memory.owe(id, minute, owed);
      noteLost(error);
      return askAlone(id, limit, counts);
    }
  }

  function askAlone(id: string, limit: number, counts: 0 | 1): MinuteWindow {
    const { minute, seen, owed } = memory.look(id);
    const count = seen + owed;
    const allowed = count < limit;
    if (!allowed || counts === 0) return windowOf(allowed, limit, count, minute);
    memory.owe(id, minute, 1);
    return windowOf(true, limit, count + 1, minute);
  }

  const answer = (id: string, limit: number, counts: 0 | 1) =>
    isShared ? ask(id, limit, counts) : askAlone(id, limit, counts);
  return {
    take: (id, limit) => answer(id, limit, 1),
    peek: (id, limit) => answer(id, limit, 0),
    async close() {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}
