import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TROUBLES } from '../soak/kinds.ts';
import { growthProblems, type Sample, trendsOf } from '../soak/samples.ts';
import { readPlan, soak, tableOf } from '../soak.ts';

test('the command parses its options, and rejects others with a message', () => {
  assert.deepEqual(readPlan([], 1_000_005), { minutes: 10, rate: 100, seed: 5 });
  assert.deepEqual(readPlan(['--minutes', '0.5', '--rate', '7', '--seed', '2'], 0), {
    minutes: 0.5,
    rate: 7,
    seed: 2,
  });
  assert.throws(() => readPlan(['--minutes', 'long'], 0), /must be numbers/);
});

test('growth by more than a tenth is reported; the load of the loop is not', () => {
  const sample = (n: number, residentMiB: number): Sample => ({
    residentMiB,
    heapMiB: 50 + (n % 2) * 40,
    files: 30 + n,
    handles: 10 + 10 * n,
    loopP99Ms: 10 * n,
  });
  const samples = Array.from({ length: 9 }, (_, n) => sample(n, 100 + 3 * n));
  const trends = trendsOf(samples);
  assert.deepEqual(
    trends.find(({ field }) => field === 'residentMiB'),
    {
      field: 'residentMiB',
      first: 103,
      last: 121,
      highest: 124,
    },
  );
  assert.deepEqual(growthProblems(trends), [
    'residentMiB grew from 103.0 to 121.0',
    'handles grew from 20.0 to 80.0',
  ]);
});

test('a short run sends every kind, causes every fault, and its records are exact', async () => {
  // An endpoint that was down is called again after half a minute: too long for this test.
  const troubles = TROUBLES.filter(({ isEndpointDown: isReceiverDown }) => !isReceiverDown);
  const result = await soak({ minutes: 0.15, rate: 50, seed: 3 }, () => {}, troubles);
  // So short a run is all warm-up.
  const faults = result.problems.filter((fault) => !/ grew from /.test(fault));
  assert.deepEqual(faults, [], tableOf(result));
  assert.ok(result.sent.left > 0);
  assert.equal(result.sent.sent.size, 8 + 5, tableOf(result));
  assert.ok(result.records.deliveries > 0);
});
