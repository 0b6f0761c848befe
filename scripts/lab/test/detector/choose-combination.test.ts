import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumOf } from '../../../../shared/detection/model/weights.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { chooseCombination, type ScoredRow } from '../../detector/choose-combination.ts';

test('the threshold is one that few real harmless texts reach; more attacks are above it', () => {
  const random = createRandom(3);
  const row = (label: 0 | 1, middle: number): ScoredRow => ({
    source: 'made',
    label,
    isTraffic: label === 0,
    margin: middle + random.next() + random.next() - 1,
    ngrams: middle + random.next() + random.next() - 1,
  });
  const harmless = Array.from({ length: 2_000 }, () => row(0, -1));
  const rows = [...harmless, ...Array.from({ length: 500 }, () => row(1, 1))];
  for (const kind of ['user', 'data'] as const) {
    const combination = chooseCombination(rows, kind);
    const { threshold, slope } = combination;
    const above = (list: readonly ScoredRow[]): number =>
      list.filter(({ margin, ngrams }) => sumOf(margin, combination, ngrams) > threshold).length;
    assert.ok(above(harmless) <= 0.015 * harmless.length && above(harmless) > 0, String(above(harmless)));
    assert.ok(above(rows) - above(harmless) > 400);
    assert.ok(slope > 0);
  }
});
