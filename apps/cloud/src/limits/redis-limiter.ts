import { Redis } from 'ioredis';
import { createLocalLimiter, type MinuteLimiter, type MinuteWindow, windowOf } from './minute-limiter.ts';

/** Counts in one step, by Redis's own clock, so that instances with other clocks agree. Returns {allowed, count, minute}. */
const TAKE = `
local minute = math.floor(tonumber(redis.call('TIME')[1]) / 60)
local name = KEYS[1] .. ':' .. minute
local count = tonumber(redis.call('GET', name) or '0')
if ARGV[2] == '0' or count >= tonumber(ARGV[1]) then
  return {count < tonumber(ARGV[1]) and 1 or 0, count, minute}
end
count = redis.call('INCR', name)
if count == 1 then redis.call('EXPIRE', name, 120) end
return {1, count, minute}
`;

interface LimiterRedis extends Redis {
  takeMinute(key: string, limit: number, counts: 0 | 1): Promise<[number, number, number]>;
}

export interface RedisLimiter extends MinuteLimiter {
  close(): Promise<void>;
}

/**
 * Limits shared by every instance. While Redis cannot be reached each instance counts by itself, so that the
 * limit is never off; the log says so once each way.
 */
export async function openRedisLimiter(options: {
  readonly url: string;
  readonly now: () => number;
  readonly log: { warn(message: string): void; info(message: string): void };
}): Promise<RedisLimiter> {
  const redis = new Redis(options.url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 500,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(2_000, 100 * attempt),
  }) as LimiterRedis;
  redis.defineCommand('takeMinute', { numberOfKeys: 1, lua: TAKE });
  const local = createLocalLimiter(options.now);
  let lost = false;
  redis.on('error', () => noteLost());
  await redis.connect().catch(() => noteLost());

  function noteLost(): void {
    if (!lost) options.log.warn('Redis cannot be reached: limits are counted by each instance alone for now');
    lost = true;
  }

  async function ask(id: string, limit: number, counts: 0 | 1): Promise<MinuteWindow> {
    try {
      const [allowed, count, minute] = await redis.takeMinute(`csg:minute:${id}`, limit, counts);
      if (lost) options.log.info('Redis is back: limits are shared again');
      lost = false;
      return windowOf(allowed === 1, limit, count, minute);
    } catch {
      noteLost();
      return counts === 1 ? local.take(id, limit) : local.peek(id, limit);
    }
  }

  return {
    take: (id, limit) => ask(id, limit, 1),
    peek: (id, limit) => ask(id, limit, 0),
    async close() {
      redis.disconnect();
    },
  };
}
