import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundMs } from '../../../apps/cloud/src/flows/clock.ts';

test('durations are rounded to the microsecond', () => {
  assert.equal(roundMs(1.23456), 1.235);
  assert.equal(roundMs(0.0004), 0);
  assert.equal(roundMs(12), 12);
});
