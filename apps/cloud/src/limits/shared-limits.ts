import { openRedisHolds, type RedisHolds } from './redis-holds.ts';
import { openRedisLimiter, type RedisLimiter, type RedisLimiterOptions } from './redis-limiter.ts';

/** Everything that instances count together. */
export interface SharedLimits {
  readonly limiter: RedisLimiter;
  readonly share: RedisHolds['share'];
  close(): Promise<void>;
}

/** Throws one sentence where Redis cannot be used. */
export async function openSharedLimits(options: RedisLimiterOptions): Promise<SharedLimits> {
  const limiter = await openRedisLimiter(options);
  try {
    const holds = await openRedisHolds(options.url);
    return {
      limiter,
      share: holds.share,
      async close() {
        await Promise.all([limiter.close(), holds.close()]);
      },
    };
  } catch (error) {
    await limiter.close();
    throw error;
  }
}
