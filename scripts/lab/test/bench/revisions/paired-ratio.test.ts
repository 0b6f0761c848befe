import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDearer, pairedRatio } from '../../../bench/revisions/paired-ratio.ts';

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < expected / 1000, `${actual} is not ${expected}`);

test('the interval is that of Student for the logarithms of the ratios', () => {
  // Ratios 2, 4, 8: mean ln 4, standard error ln 2 / √3, times 4.303 with two degrees of freedom.
  const ratio = pairedRatio([2, 8, 4], [1, 1, 1]);
  assert.equal(ratio.median, 4);
  near(ratio.from, 4 / Math.exp((4.303 * Math.LN2) / Math.sqrt(3)));
  near(ratio.to, 4 * Math.exp((4.303 * Math.LN2) / Math.sqrt(3)));
  assert.equal(ratio.pairs, 3);
});

test('ten pairs use nine degrees of freedom', () => {
  // Five ratios of 1.1 and five of 1.3: the deviation of each logarithm from their mean is ln(1.3 / 1.1) / 2.
  const over = Array.from({ length: 10 }, (_, pair) => (pair % 2 === 0 ? 110 : 260));
  const under = Array.from({ length: 10 }, (_, pair) => (pair % 2 === 0 ? 100 : 200));
  const { from, to, median } = pairedRatio(over, under);
  const reach = 2.262 * (Math.log(1.3 / 1.1) / 2) * Math.sqrt(10 / 9 / 10);
  near(from, Math.sqrt(1.1 * 1.3) * Math.exp(-reach));
  near(to, Math.sqrt(1.1 * 1.3) * Math.exp(reach));
  near(median, 1.2);
});

test('what slows both rounds of a pair does not count', () => {
  const { from, to } = pairedRatio([11, 110, 1_100], [10, 100, 1_000]);
  near(from, 1.1);
  near(to, 1.1);
});

test('dearer is only what lies beyond the limit as a whole', () => {
  assert.equal(isDearer(pairedRatio([1.2, 1.21, 1.19], [1, 1, 1]), 1.1), true);
  assert.equal(isDearer(pairedRatio([1.2, 1.6, 1.0], [1, 1, 1]), 1.1), false);
  assert.equal(isDearer(pairedRatio([1, 1.01, 0.99], [1, 1, 1]), 1.1), false);
});

test('one pair, or a round without its partner, is no comparison', () => {
  assert.throws(() => pairedRatio([1], [1]), /at least two pairs/);
  assert.throws(() => pairedRatio([1, 2], [1]), /at least two pairs/);
});
