import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MinuteLimiter } from '../../apps/cloud/src/limits/minute-limiter.ts';
import type { ManualClock } from '../support/clock.ts';

export interface LimiterUnderTest {
  readonly limiter: MinuteLimiter;
  /** Null if the store has its own clock. */
  readonly clock: ManualClock | null;
  close(): Promise<void>;
}

/** Promises of every limiter, whatever it counts in. */
export function testLimiter(name: string, open: () => LimiterUnderTest | Promise<LimiterUnderTest>): void {
  test(`${name}: exactly the limit is allowed, however many requests are concurrent`, async () => {
    const { limiter, close } = await open();
    const windows = await Promise.all(Array.from({ length: 50 }, async () => limiter.take('one', 20)));
    const left = (isAllowed: boolean) =>
      windows.filter(({ allowed }) => allowed === isAllowed).map(({ remaining }) => remaining);
    assert.deepEqual(
      left(true),
      Array.from({ length: 20 }, (_, n) => 19 - n),
      'each gets its own count',
    );
    assert.deepEqual(left(false), Array(30).fill(0));
    await close();
  });

  test(`${name}: accounts do not share a window`, async () => {
    const { limiter, close } = await open();
    await limiter.take('one', 1);
    assert.equal((await limiter.take('one', 1)).allowed, false);
    assert.equal((await limiter.take('two', 1)).allowed, true);
    await close();
  });

  test(`${name}: reading the window does not count`, async () => {
    const { limiter, close } = await open();
    for (let i = 0; i < 5; i++) assert.equal((await limiter.peek('one', 3)).remaining, 3);
    assert.equal((await limiter.take('one', 3)).remaining, 2);
    await close();
  });
}
