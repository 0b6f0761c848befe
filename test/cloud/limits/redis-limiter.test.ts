import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { openRedisLimiter } from '../../../apps/cloud/src/limits/redis-limiter.ts';
import { limiterLaws } from '../../laws/limiter-laws.ts';
import { noRedis, startRedis, type TestRedis } from '../../support/redis.ts';

const quiet = { warn: () => {}, info: () => {} };

describe('limits shared over Redis', { skip: noRedis }, () => {
  let redis: TestRedis;
  let admin: Redis;
  before(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
  });
  after(async () => {
    admin.disconnect();
    await redis.stop();
  });

  async function open(log: { warn(line: string): void; info(line: string): void } = quiet) {
    await admin.flushall();
    const limiter = await openRedisLimiter({ url: redis.url, now: Date.now, log });
    return { limiter, clock: null, close: () => limiter.close() };
  }

  limiterLaws('redis', open);

  test('two instances share one count', async () => {
    const one = await open();
    const two = await openRedisLimiter({ url: redis.url, now: Date.now, log: quiet });
    const windows = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (i % 2 ? one.limiter : two).take('shared', 25)),
    );
    assert.equal(windows.filter((window) => window.allowed).length, 25);
    await one.close();
    await two.close();
  });

  test('with Redis gone each instance counts alone, and the log says so once', async () => {
    const said: string[] = [];
    const { limiter, close } = await open({
      warn: (line: string) => void said.push(line),
      info: () => {},
    });
    const closed = once(admin, 'close');
    await redis.kill();
    await closed;
    let allowed = 0;
    for (let i = 0; i < 10; i++) if ((await limiter.take('alone', 4)).allowed) allowed++;
    assert.equal(allowed, 4, 'the limit still holds');
    assert.equal(said.length, 1);
    assert.match(said[0] as string, /Redis cannot be reached/);
    await close();
  });

  test('it starts without Redis and counts alone', async () => {
    const limiter = await openRedisLimiter({ url: redis.url, now: Date.now, log: quiet });
    assert.equal((await limiter.take('alone', 1)).allowed, true);
    assert.equal((await limiter.take('alone', 1)).allowed, false);
    await limiter.close();
  });
});
