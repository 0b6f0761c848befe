import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalJson, canonicalJsonInSteps, finish } from '@csg/shared/text';
import fc from 'fast-check';
import { pausesOf } from '../../support/pauses.ts';
import { createRandom } from '../../support/random.ts';

describe('canonical JSON in steps', () => {
  test('is what canonicalJson returns', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        assert.equal(finish(canonicalJsonInSteps(value)), canonicalJson(value));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  for (const count of [63, 64, 1_023, 1_024, 1_025, 39_000])
    test(`sorts ${count} names in parts`, () => {
      const names = createRandom(count).shuffled(Array.from({ length: count }, (_, n) => `${n}-${n * 7}`));
      for (const value of [0, { inner: [1] }, undefined]) {
        const members = Object.fromEntries(names.map((name) => [name, value]));
        assert.equal(finish(canonicalJsonInSteps(members)), canonicalJson(members));
      }
      const members = Object.fromEntries(names.map((name) => [name, name]));
      assert.ok(pausesOf(canonicalJsonInSteps(members)) >= Math.floor(count / 64));
    });

  test('writes the items of a list in parts', () => {
    const list = Array.from({ length: 10_000 }, (_, n) => `item ${n}`);
    assert.ok(pausesOf(canonicalJsonInSteps({ list })) >= 150);
  });
});
