import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createBreaker,
  FAILURES_TO_OPEN,
  OPEN_MS,
} from '../../../../apps/cloud/src/webhooks/policy-endpoint/breaker.ts';

describe('the breaker of a policy endpoint', () => {
  test('stops calls to a failing endpoint for a while, then allows one trial', () => {
    const breaker = createBreaker();
    for (let i = 0; i < FAILURES_TO_OPEN; i++) {
      assert.ok(breaker.allowsRequest('a', 0), `after ${i} failures`);
      breaker.note('a', false, 0);
    }
    assert.ok(!breaker.allowsRequest('a', OPEN_MS - 1));
    assert.ok(breaker.allowsRequest('b', 0), 'another endpoint');
    assert.ok(breaker.allowsRequest('a', OPEN_MS), 'the trial');
    assert.ok(!breaker.allowsRequest('a', OPEN_MS), 'others wait for it');
    breaker.note('a', false, OPEN_MS);
    assert.ok(!breaker.allowsRequest('a', 2 * OPEN_MS - 1));
    assert.ok(breaker.allowsRequest('a', 2 * OPEN_MS));
    breaker.note('a', true, 2 * OPEN_MS);
    assert.ok(breaker.allowsRequest('a', 2 * OPEN_MS) && breaker.allowsRequest('a', 2 * OPEN_MS));
  });

  test('counts only consecutive failures', () => {
    const breaker = createBreaker();
    for (let i = 0; i < 10 * FAILURES_TO_OPEN; i++) {
      assert.ok(breaker.allowsRequest('a', i));
      breaker.note('a', i % FAILURES_TO_OPEN === 0, i);
    }
  });
});
