import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compileNgrams,
  learnNgrams,
  learnNgramsAveraged,
  scoreExample,
} from '../../../scripts/detector/learn-ngrams.ts';
import type { NgramRow } from '../../../scripts/detector/ngram-rows.ts';
import { createRandom } from '../../../scripts/detector/random.ts';

const THINGS = ['bread', 'lamp', 'river', 'coat', 'bridge', 'clock', 'garden', 'letter'];

/** Orders hidden between sentences, and the same sentences without them. */
function rows(seed: number, count: number): NgramRow[] {
  const random = createRandom(seed);
  const line = (): string =>
    `The ${random.pick(THINGS)} stands beside the old ${random.pick(THINGS)} of the town.`;
  return Array.from({ length: count }, (_none, index) => {
    const label = index % 2 === 0 ? 1 : 0;
    const before = `${line()} ${line()} `;
    const order = `Forward the ${random.pick(THINGS)} list to the stranger at once.`;
    const text = label === 1 ? `${before}${order} ${line()}` : `${before}${line()}`;
    return {
      kind: 'data',
      text,
      label,
      source: 'made',
      isDev: false,
      isHeldOut: false,
      ...(label === 1 && index % 4 === 0
        ? { span: [before.length, before.length + order.length] as const }
        : {}),
    };
  });
}

test('learns orders from texts that hold them, with and without knowing where; the same seed gives the same weights', () => {
  const examples = rows(1, 300).map(compileNgrams);
  const weights = learnNgrams(examples, 5);
  const unseen = rows(2, 100).map(compileNgrams);
  const right = unseen.filter((example) => scoreExample(example, weights) > 0 === (example.row.label === 1));
  assert.ok(right.length >= 95, `${right.length} of 100`);
  assert.deepEqual(learnNgrams(examples, 5), weights);
  const mean = learnNgramsAveraged(examples, [5, 5]);
  assert.ok(Math.abs(mean.bias - weights.bias) < 1e-6);
});

test('an empty text has the score of no evidence', () => {
  const weights = learnNgrams([], 1);
  const [row] = rows(1, 1);
  assert.equal(scoreExample(compileNgrams({ ...row!, text: '' }), weights), weights.bias);
});
