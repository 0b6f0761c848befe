import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../../test/support/random.ts';
import { pooledThreshold, worstSourceThreshold } from '../../detector/thresholds.ts';

const random = createRandom(3);
const margins = Array.from({ length: 4000 }, (_value, index) => {
  const label: 0 | 1 = index % 5 === 0 ? 1 : 0;
  return {
    margin: (label === 1 ? 2 : -2) + (random.next() - 0.5) * 6,
    label,
    source: index % 2 === 0 ? 'a' : 'b',
  };
});

test('thresholds use their budgets', () => {
  const above = (threshold: number, source?: string) => {
    const harmless = margins.filter(
      (one) => one.label === 0 && (source === undefined || one.source === source),
    );
    return harmless.filter((one) => one.margin > threshold).length / harmless.length;
  };
  assert.ok(Math.abs(above(pooledThreshold(margins, 0.01)) - 0.01) < 0.003);
  const worst = worstSourceThreshold(margins, 0.02);
  assert.ok(above(worst, 'a') <= 0.021 && above(worst, 'b') <= 0.021);
});
