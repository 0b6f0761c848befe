import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { createFailureLockout, type FailureLockout } from '../../../apps/cloud/src/limits/failure-lockout.ts';
import { openRedisLockouts, type RedisLockouts } from '../../../apps/cloud/src/limits/redis-lockouts.ts';
import { createManualClock } from '../../support/clock.ts';
import { noRedis, startRedis, type TestRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const LIMIT = 3;

describe('lockouts that instances share', { skip: noRedis }, () => {
  let redis: TestRedis;
  const opened: RedisLockouts[] = [];
  const clock = createManualClock();
  before(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const holds of opened.splice(0)) await holds.close();
    await redis.start();
  });
  after(() => redis.stop());

  async function openInstance(name: string): Promise<FailureLockout> {
    const holds = await openRedisLockouts(redis.url);
    opened.push(holds);
    return holds.share(name, createFailureLockout({ limit: LIMIT, now: clock.now }));
  }
  const heldAt = (hold: FailureLockout, address: string, due: boolean) =>
    until(
      async () => hold.lockoutS(address) > 0,
      (isHeld) => isHeld === due,
    );

  test('count failures at one instance for all, and end for all if a failure is taken back', async () => {
    const [one, other] = [await openInstance('keys'), await openInstance('keys')];
    one.fail('192.0.2.1');
    one.fail('192.0.2.1');
    assert.equal(one.lockoutS('192.0.2.1'), 0);
    one.fail('192.0.2.1');
    assert.equal(one.lockoutS('192.0.2.1'), 60, 'immediately at the instance that saw it');
    await heldAt(other, '192.0.2.1', true);
    assert.equal(other.lockoutS('192.0.2.1'), 60);
    assert.equal(other.lockoutS('192.0.2.2'), 0);
    one.undo('192.0.2.1');
    await heldAt(other, '192.0.2.1', false);
  });

  test('count separately for each kind', async () => {
    const [keys, accounts] = [await openInstance('keys'), await openInstance('accounts')];
    const alsoKeys = await openInstance('keys');
    for (let n = 0; n < LIMIT; n++) keys.fail('ada@example.com');
    await heldAt(alsoKeys, 'ada@example.com', true);
    assert.equal(accounts.lockoutS('ada@example.com'), 0);
  });

  test('count for each instance alone without Redis, and together again with it', async () => {
    const [one, other] = [await openInstance('keys'), await openInstance('keys')];
    await redis.kill();
    for (let n = 0; n < LIMIT; n++) one.fail('192.0.2.3');
    assert.equal(one.lockoutS('192.0.2.3'), 60);
    await redis.start();
    let tries = 0;
    await until(
      async () => {
        one.fail(`192.0.2.4`);
        tries += 1;
        return other.lockoutS('192.0.2.4');
      },
      (heldS) => heldS > 0,
    );
    assert.ok(tries >= LIMIT);
    assert.equal(other.lockoutS('192.0.2.3'), 0, 'a failure that it never heard of');
  });

  test('ignore foreign messages on the channel', async () => {
    const [one, other] = [await openInstance('keys'), await openInstance('keys')];
    const stranger = new Redis(redis.url);
    const heard: string[] = [];
    const listener = stranger.duplicate();
    listener.on('message', (_channel, text: string) => void heard.push(text));
    await listener.subscribe('csg:holds');
    for (let n = 0; n < LIMIT; n++) one.fail('192.0.2.5');
    await heldAt(other, '192.0.2.5', true);
    const message = JSON.parse(heard[0]!) as Record<string, unknown>;
    const garbage = [
      '',
      'garbage',
      '{',
      'null',
      '[]',
      '7',
      '{}',
      ...[
        { act: 'heldS' },
        { act: 'constructor' },
        { act: undefined },
        { act: ['undo'] },
        { hold: '__proto__' },
        { hold: 7 },
        { from: null },
        { key: undefined },
        { key: { length: 43 } },
        { key: 'x'.repeat(100_000) },
      ].map((part) => JSON.stringify({ ...message, from: 'stranger', act: 'undo', ...part })),
    ];
    for (const text of garbage) assert.equal(await stranger.publish('csg:holds', text), 3, 'received by all');
    for (let n = 0; n < LIMIT; n++) one.fail('192.0.2.6');
    await heldAt(other, '192.0.2.6', true);
    assert.equal(other.lockoutS('192.0.2.5'), 60, 'none of it took a failure back');
    stranger.disconnect();
    listener.disconnect();
  });

  test('report a missing Redis in one sentence', async () => {
    await assert.rejects(
      openRedisLockouts('redis://127.0.0.1:9'),
      /^Error: Redis at 127\.0\.0\.1:9 cannot be reached/,
    );
  });
});
