import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValve } from '../../../apps/desktop/src/exchange/run-exchange.ts';

test('a flow continues once all holders have released it', () => {
  const calls: string[] = [];
  const flow = { pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
  const valve = createValve<'machine' | 'client'>(flow, ['machine']);
  valve.release('client');
  assert.deepEqual(calls, [], 'releasing without holding has no effect');
  valve.hold('client');
  valve.release('machine');
  assert.deepEqual(calls, ['pause'], 'the other one still holds it');
  valve.release('client');
  valve.release('client');
  assert.deepEqual(calls, ['pause', 'resume']);
});
