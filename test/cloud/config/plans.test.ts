import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANS } from '@csg/shared/contract';
import { overridePlans } from '../../../apps/cloud/src/config/plans.ts';

test('an override changes what it names and nothing else', () => {
  const plans = overridePlans({ free: { monthly: 20000 } });
  assert.equal(plans.free.monthly, 20_000);
  assert.equal(plans.free.perMinute, PLANS.free.perMinute);
  assert.deepEqual(plans.pro, PLANS.pro);
});

test('an unknown plan, field or value is rejected with one sentence', () => {
  assert.throws(() => overridePlans({ gold: {} }), /unknown plan "gold"\. Plans: free/);
  assert.throws(() => overridePlans({ free: { monthly: 'many' } }), /sets free.monthly/);
  assert.throws(() => overridePlans({ free: { color: 1 } }), /sets free.color/);
  assert.throws(() => overridePlans([]), /JSON object/);
  assert.throws(() => overridePlans({ free: null }), /object for free/);
});
