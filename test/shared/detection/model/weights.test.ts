import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackLogOdds, COMBINATIONS, confidenceOf } from '../../../../shared/detection/model/weights.ts';

test('confidence is one half at the threshold, grows with the sum, and is never 0 or 1', () => {
  for (const combination of Object.values(COMBINATIONS)) {
    const { threshold, weight } = combination;
    const at = (margin: number, ngrams: number): number =>
      confidenceOf(attackLogOdds(combination, margin, ngrams));
    assert.equal(at(threshold, 0), 0.5);
    assert.ok(Math.abs(at(threshold - weight, 1) - 0.5) < 1e-9);
    const rising = [-20, -5, 0, 2, 3, 4].map((margin) => at(margin, 0));
    for (let i = 1; i < rising.length; i++) assert.ok(rising[i]! > rising[i - 1]!, rising.join(' '));
    assert.ok(at(-500, -500) > 0 && at(500, 500) === 0.99);
  }
});

test('low n-gram scores cannot outweigh a confident first reading', () => {
  const { user } = COMBINATIONS;
  const sure = user.threshold + 2;
  assert.equal(attackLogOdds(user, sure, -30), attackLogOdds(user, sure, -1));
  assert.equal(attackLogOdds(user, sure), attackLogOdds(user, sure, -1), 'as for a text without any');
  assert.ok(attackLogOdds(user, sure, -30) > 0);
});

test('n-grams alone cannot outweigh a first reading against an attack, but higher scores still count', () => {
  const { user } = COMBINATIONS;
  const denied = -user.maxNgrams;
  assert.ok(attackLogOdds(user, denied, 6) < 0);
  assert.ok(attackLogOdds(user, denied, 7) > attackLogOdds(user, denied, 6));
  assert.ok(attackLogOdds(user, 0, 6) > 0);
});
