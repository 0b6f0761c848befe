import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CachedLookups } from '../../../apps/cloud/src/flows/cached-lookups.ts';
import type { EvaluatedResponse } from '../../../apps/cloud/src/flows/evaluate-response.ts';
import { createManualClock } from '../../support/clock.ts';

const evaluated = (decision: string, isUnscanned = false): EvaluatedResponse =>
  ({ evaluation: { decision, isUnscanned }, rejection: null }) as EvaluatedResponse;

test('stores allowed responses for a while, blocked ones for seconds, and unscanned ones not at all', () => {
  const clock = createManualClock();
  const lookups = new CachedLookups(clock);
  const allowed = evaluated('allow');
  lookups.keep('a', allowed);
  lookups.keep('b', evaluated('block'));
  lookups.keep('c', evaluated('allow', true));
  assert.equal(lookups.find('a'), allowed);
  assert.ok(lookups.find('b') !== undefined);
  assert.equal(lookups.find('c'), undefined);
  clock.advance(10_000);
  assert.equal(lookups.find('b'), undefined);
  assert.equal(lookups.find('a'), allowed);
  clock.advance(600_000);
  assert.equal(lookups.find('a'), undefined);
});

test('drops the oldest of too many', () => {
  const lookups = new CachedLookups(createManualClock());
  for (let n = 0; n <= 2_000; n++) lookups.keep(`key ${n}`, evaluated('allow'));
  assert.equal(lookups.find('key 0'), undefined);
  assert.ok(lookups.find('key 2000') !== undefined);
});
