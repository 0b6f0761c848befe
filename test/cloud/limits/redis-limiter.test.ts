import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { openRedisLimiter, type RedisLimiter } from '../../../apps/cloud/src/limits/redis-limiter.ts';
import { testLimiter } from '../../conformance/limiter-suite.ts';
import { createManualClock } from '../../support/clock.ts';
import { noRedis, startRedis, type TestRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const LOOK_EVERY_MS = 10;

describe('limits shared over Redis', { skip: noRedis }, () => {
  let redis: TestRedis;
  let admin: Redis;
  before(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
    admin.on('error', () => {});
  });
  after(async () => {
    admin.disconnect();
    await redis.stop();
  });

  interface Instance extends RedisLimiter {
    /** The messages of the log, without fields. */
    readonly replies: string[];
    readonly states: boolean[];
  }

  const opened: RedisLimiter[] = [];
  afterEach(async () => {
    for (const limiter of opened.splice(0)) await limiter.close();
    await redis.start();
    await admin.flushall();
  });

  async function openInstance(now: () => number = Date.now): Promise<Instance> {
    const replies: string[] = [];
    const states: boolean[] = [];
    const limiter = await openRedisLimiter({
      url: redis.url,
      now,
      log: { warn: (_fields, line) => void replies.push(line), info: (line) => void replies.push(line) },
      observe: (isShared) => void states.push(isShared),
      pollIntervalMs: LOOK_EVERY_MS,
    });
    opened.push(limiter);
    return { ...limiter, replies, states };
  }

  async function open() {
    const limiter = await openInstance();
    return { limiter, clock: null, close: () => limiter.close() };
  }

  testLimiter('redis', open);

  /** Runs within one minute of Redis, and starts over if a minute ended in between. */
  async function inOneMinute(work: () => Promise<void>): Promise<void> {
    // Redis runs on this machine: it has the same clock.
    const minute = () => Math.floor(Date.now() / 60_000);
    for (;;) {
      const started = minute();
      const outcome = await work().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (outcome === undefined) return;
      if (minute() === started) throw outcome;
      await redis.start();
      await admin.flushall();
    }
  }

  /** How many of these requests, spread over the limiters, are allowed. */
  async function allowed(limiters: readonly RedisLimiter[], times: number, limit: number): Promise<number> {
    let count = 0;
    for (let n = 0; n < times; n++) {
      if ((await limiters[n % limiters.length]!.take('shared', limit)).allowed) count += 1;
    }
    return count;
  }

  const state = (limiters: readonly Instance[], due: boolean) =>
    until(
      async () => limiters.map(({ states }) => states.at(-1)),
      (all) => all.every((isShared) => isShared === due),
    );

  test('instances share one count', async () => {
    const both = [await openInstance(), await openInstance()];
    await inOneMinute(async () => {
      const windows = await Promise.all(
        Array.from({ length: 60 }, async (_, n) => both[n % 2]!.take('at once', 25)),
      );
      assert.equal(windows.filter((window) => window.allowed).length, 25);
    });
  });

  test('requests of one turn are sent together, each with its own account and limit', async () => {
    const limiter = await openInstance();
    const scripts = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
    await limiter.take('before', 1);
    await inOneMinute(async () => {
      const scriptCalls = await scripts();
      const many = Array.from({ length: 40 }, () => [
        limiter.take('one', 30),
        limiter.take('two', 10),
        limiter.take('one', 35),
      ]);
      const windows = await Promise.all(many.flat());
      const allowed = [0, 1, 2].map(
        (n) => windows.filter((window, i) => i % 3 === n && window.allowed).length,
      );
      assert.deepEqual(
        allowed,
        [30, 10, 5],
        'the second limit of one account continues where the first ended',
      );
      assert.equal((await scripts()) - scriptCalls, 3);
    });
  });

  test('lost in the middle of a minute: instances continue from what they know, and so does Redis', async () => {
    const both = [await openInstance(), await openInstance()] as const;
    await inOneMinute(async () => {
      assert.equal(await allowed(both, 20, 30), 20);
      await redis.kill();
      await state(both, false);
      // One of them knows of 20 so far, the other of 19.
      assert.equal(await allowed(both, 60, 30), 21);
      await redis.start();
      await state(both, true);
      // Redis has forgotten all of it; they have not.
      assert.equal(await allowed(both, 20, 30), 0, 'the minute is used up');
      const more = await allowed(both, 50, 20 + 21 + 7);
      assert.ok(more === 7 || more === 8, `${more} more: only what the other had not seen may be lost`);
    });
    for (const { replies } of both) {
      assert.match(replies[0]!, /Redis cannot be used: limits are counted by each instance alone/);
      assert.match(replies[1]!, /Redis is back/);
    }
  });

  test('a Redis that rejects writes counts as lost; once it is back, everything allowed is counted', async () => {
    const both = [await openInstance(), await openInstance()] as const;
    await inOneMinute(async () => {
      assert.equal(await allowed(both, 6, 10), 6);
      await admin.config('SET', 'maxmemory', '1');
      await state(both, false);
      assert.equal(await allowed(both, 9, 10), 9, 'each continues from 5 or 6');
      // A read would succeed, which is no sign of being back.
      assert.equal((await both[0].peek('shared', 10)).remaining, 0);
      assert.equal(both[0].states.at(-1), false);
      await admin.config('SET', 'maxmemory', '0');
      await state(both, true);
      assert.equal(await allowed(both, 50, 6 + 9 + 7), 7, 'no more, no less');
    });
  });

  test('a Redis that hangs delays requests once, and none after that', async () => {
    const limiter = await openInstance();
    redis.sleep();
    await limiter.take('slow', 4);
    assert.deepEqual(limiter.states, [true, false]);
    let taken = 0;
    const takes = Array.from({ length: 100 }, async (_, n) => {
      await limiter.take(`quick ${n}`, 4);
      taken += 1;
    });
    // No timer and no response of Redis fits into a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(taken, 100, 'further requests do not wait');
    await Promise.all(takes);
    redis.wake();
    await state([limiter], true);
  });

  test('an instance with a wrong clock follows the minutes of Redis', async () => {
    for (const offMs of [-3_600_000, 3_600_000]) {
      const clock = createManualClock(Date.now() + offMs);
      const both = [await openInstance(clock.now), await openInstance()];
      await inOneMinute(async () => assert.equal(await allowed(both, 40, 15), 15));
      await admin.flushall();
    }
  });
});

describe('a Redis that cannot be used at the start', { skip: noRedis }, () => {
  const refuse = (url: string, sentence: RegExp) =>
    assert.rejects(
      openRedisLimiter({ url, now: Date.now, log: { warn: () => {}, info: () => {} } }),
      (error: Error) => {
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /hunter2|\n/);
        return true;
      },
    );

  test('is reported if it is absent or its name is unknown', async () => {
    await refuse(
      'redis://:hunter2@127.0.0.1:9',
      /^Redis at 127\.0\.0\.1:9 cannot be reached: ECONNREFUSED\.$/,
    );
    await refuse('redis://nowhere.invalid:6379', /^Redis at nowhere\.invalid:6379 cannot be found/);
  });

  test('is reported if the password is wrong or missing', async () => {
    const redis = await startRedis(['--requirepass', 'secret']);
    const wrong = new URL(redis.url);
    wrong.password = 'hunter2';
    await refuse(wrong.href, /rejects the user name or password of REDIS_URL\.$/);
    await refuse(redis.url, /requires a password/);
    await redis.stop();
  });

  test('is reported if it is full or a read-only replica', async () => {
    const full = await startRedis(['--maxmemory', '1']);
    await refuse(full.url, /rejects writes: OOM/);
    const copy = await startRedis(['--replicaof', '127.0.0.1', new URL(full.url).port]);
    await refuse(copy.url, /rejects writes: READONLY/);
    await Promise.all([copy.stop(), full.stop()]);
  });
});
