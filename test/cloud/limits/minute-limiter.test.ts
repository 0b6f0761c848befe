import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalLimiter } from '../../../apps/cloud/src/limits/minute-limiter.ts';
import { testLimiter } from '../../conformance/limiter-suite.ts';
import { createManualClock } from '../../support/clock.ts';

testLimiter('in process', () => {
  const clock = createManualClock();
  return { limiter: createLocalLimiter(clock.now), clock, close: async () => {} };
});

test('a clock that is set back does not reopen a used-up minute', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 1, 0, 5, 0));
  const limiter = createLocalLimiter(clock.now);
  assert.equal((await limiter.take('a', 1)).allowed, true);
  clock.advance(-60_000);
  assert.equal((await limiter.take('a', 1)).allowed, false);
});

test('the window ends at the start of the next minute', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 1, 0, 5, 59, 999));
  const limiter = createLocalLimiter(clock.now);
  const window = await limiter.take('a', 2);
  assert.equal(window.resetAtS, Date.UTC(2026, 0, 1, 0, 6, 0) / 1000);
  clock.advance(1);
  assert.equal((await limiter.take('a', 2)).remaining, 1);
});
