import { Redis } from 'ioredis';
import { type MinuteLimiter, type MinuteWindow, windowOf } from './minute-limiter.ts';
import { createMinuteMemory } from './minute-memory.ts';
import { redisProblem } from './redis-problem.ts';

/**
 * Counts as many requests as the limit allows, in one step and by Redis's clock, so that instances with different
 * clocks agree. The caller's knowledge of the same minute is included, so that a restarted Redis continues where the
 * instances were. Returns {allowed, count after, minute}; if no request is to be counted, `allowed` is whether there is
 * capacity for one.
 */
const TAKE = `
local minute = math.floor(tonumber(redis.call('TIME')[1]) / 60)
local name = KEYS[1] .. ':' .. minute
local stored = tonumber(redis.call('GET', name) or '0')
local count = stored
if tonumber(ARGV[3]) == minute then count = math.max(stored, tonumber(ARGV[4])) + tonumber(ARGV[5]) end
local asking = tonumber(ARGV[2])
local allowed = math.max(0, math.min(tonumber(ARGV[1]) - count, math.max(asking, 1)))
if asking == 0 then return {allowed, count, minute} end
count = count + allowed
if count > stored then redis.call('SET', name, count, 'EX', 120) end
return {allowed, count, minute}
`;

interface LimiterRedis extends Redis {
  takeMinute(
    key: string,
    limit: number,
    requested: number,
    minute: number,
    seen: number,
    owed: number,
  ): Promise<[number, number, number]>;
}

/** Callers of the same counter in one turn of the event loop, in order. */
interface Group {
  readonly id: string;
  readonly limit: number;
  readonly resolvers: ((window: MinuteWindow) => void)[];
}

export interface RedisLimiter extends MinuteLimiter {
  close(): Promise<void>;
}

const POLL_INTERVAL_MS = 500;
/** Timeout without any byte from Redis. Longer than the event loop is ever blocked. */
const SILENCE_MS = 2_000;

export interface RedisLimiterOptions {
  readonly url: string;
  readonly now: () => number;
  readonly log: { warn(fields: object, message: string): void; info(message: string): void };
  /** Called initially and on every change. */
  readonly observe?: (isShared: boolean) => void;
  readonly pollIntervalMs?: number;
}

/**
 * Opens limits shared by all instances; the requests of one turn of the event loop are sent to Redis together. Throws
 * one sentence if Redis cannot be used at the start. If it is lost or rejects writes later, each instance continues
 * from its knowledge of the minute, so that the limit is never disabled, and probes Redis twice a second. Once Redis is
 * back, limits are shared again, including what was counted meanwhile.
 */
export async function openRedisLimiter(options: RedisLimiterOptions): Promise<RedisLimiter> {
  const redis = createRedis(options.url);
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
    throw new Error(redisProblem(cause ?? error, options.url));
  }
  let isShared = true;
  let isPolling = false;
  options.observe?.(true);
  const timer = setInterval(poll, options.pollIntervalMs ?? POLL_INTERVAL_MS).unref();

  async function tryToWrite(): Promise<void> {
    await redis.set('csg:alive', '1', 'EX', 120);
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
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
      isPolling = false;
    }
  }

  function noteLost(error: unknown): void {
    if (isShared) {
      options.log.warn(
        { cause: redisProblem(error, options.url) },
        'Redis cannot be used: limits are counted by each instance alone for now',
      );
      options.observe?.(false);
    }
    isShared = false;
  }

  /** Returns Redis's response for `requested` requests; null if there is none. */
  async function queryRedis(
    id: string,
    limit: number,
    requested: number,
  ): Promise<[number, number, number] | null> {
    const { minute, seen, owed } = memory.read(id);
    // Of concurrent queries only the first reports the owed requests, so that they are counted once.
    if (owed > 0 && requested > 0) memory.settle(id, minute, owed);
    try {
      const result = await redis.takeMinute(`csg:minute:${id}`, limit, requested, minute, seen, owed);
      if (requested > 0) memory.see(id, result[2], result[1]);
      return result;
    } catch (error) {
      if (requested > 0) memory.owe(id, minute, owed);
      noteLost(error);
      return null;
    }
  }

  async function queryGroup({ id, limit, resolvers }: Group): Promise<void> {
    const result = await queryRedis(id, limit, resolvers.length);
    if (result === null) {
      for (const resolve of resolvers) resolve(countAlone(memory, id, limit, 1));
      return;
    }
    const [allowed, last, minute] = result;
    const first = last - allowed + 1;
    for (const [before, resolve] of resolvers.entries())
      resolve(windowOf(before < allowed, limit, Math.min(first + before, last), minute));
  }

  let gathered = new Map<string, Group>();

  function queryGathered(): void {
    const groups = gathered;
    gathered = new Map();
    for (const group of groups.values()) void queryGroup(group);
  }

  return {
    take(id, limit) {
      if (!isShared) return countAlone(memory, id, limit, 1);
      return new Promise((resolve) => {
        if (gathered.size === 0) setImmediate(queryGathered);
        const name = `${limit} ${id}`;
        const group = gathered.get(name);
        if (group === undefined) gathered.set(name, { id, limit, resolvers: [resolve] });
        else group.resolvers.push(resolve);
      });
    },
    async peek(id, limit) {
      const result = isShared ? await queryRedis(id, limit, 0) : null;
      if (result === null) return countAlone(memory, id, limit, 0);
      const [allowed, count, minute] = result;
      return windowOf(allowed > 0, limit, count, minute);
    },
    async close() {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}

function createRedis(url: string): LimiterRedis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(1_000, 100 * attempt),
  }) as LimiterRedis;
  redis.defineCommand('takeMinute', { numberOfKeys: 1, lua: TAKE });
  return redis;
}

function countAlone(
  memory: ReturnType<typeof createMinuteMemory>,
  id: string,
  limit: number,
  counts: 0 | 1,
): MinuteWindow {
  const { minute, seen, owed } = memory.read(id);
  const count = seen + owed;
  const allowed = count < limit;
  if (!allowed || counts === 0) return windowOf(allowed, limit, count, minute);
  memory.owe(id, minute, 1);
  return windowOf(true, limit, count + 1, minute);
}
