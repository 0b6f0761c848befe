import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seedFor } from '../support/part.ts';
import { FUZZ, tryCases } from './random-bodies/properties.ts';

/** Deterministic: the seed of the commit chooses them. `npm run fuzz` tries as many as the time allows. */
const CASES = 2_000;

describe('random bodies and streams of every provider: every text is read', () => {
  for (const one of FUZZ) {
    it(`finds no error in ${one.name}`, async () => {
      const fault = await tryCases(one, Math.ceil(CASES * one.share), seedFor(one.name));
      assert.equal(fault, null, fault ?? '');
    });
  }

  it('divides all cases', () => {
    assert.equal(
      FUZZ.reduce((sum, { share }) => sum + Math.round(share * 100), 0),
      100,
    );
  });

  it('reports the smallest case that fails, and how to reproduce it', async () => {
    const broken = fc.property(fc.nat(), (n) => n < 10);
    const fault = await tryCases({ name: 'small numbers', share: 1, property: broken as never }, 100, 7);
    assert.match(fault ?? '', /^small numbers, seed 7, path [\d:]+\n[\s\S]*\[10\]$/);
  });
});
