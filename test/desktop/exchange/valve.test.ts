import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValve } from '../../../apps/desktop/src/exchange/valve.ts';

test('a flow continues once nothing holds it any more', () => {
  const calls: string[] = [];
  const flow = { pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
  const valve = createValve<'machine' | 'client'>(flow, ['machine']);
  valve.release('client');
  assert.deepEqual(calls, [], 'who does not hold it releases nothing');
  valve.hold('client');
  valve.release('machine');
  assert.deepEqual(calls, ['pause'], 'the other one still holds it');
  valve.release('client');
  valve.release('client');
  assert.deepEqual(calls, ['pause', 'resume']);
});
