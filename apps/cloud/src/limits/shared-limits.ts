import { openRedisLimiter, type RedisLimiter, type RedisLimiterOptions } from './redis-limiter.ts';
import { openRedisLockouts, type RedisLockouts } from './redis-lockouts.ts';

/** Limits that the instances count together. */
export interface SharedLimits {
  readonly limiter: RedisLimiter;
  readonly share: RedisLockouts['share'];
  close(): Promise<void>;
}

/** Throws one sentence if Redis cannot be used. */
export async function openSharedLimits(options: RedisLimiterOptions): Promise<SharedLimits> {
  const limiter = await openRedisLimiter(options);
  try {
    const lockouts = await openRedisLockouts(options.url);
    return {
      limiter,
      share: lockouts.share,
      async close() {
        await Promise.all([limiter.close(), lockouts.close()]);
      },
    };
  } catch (error) {
    await limiter.close();
    throw error;
  }
}
