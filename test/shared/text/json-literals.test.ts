import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { closingQuote } from '../../../shared/text/index.ts';

it('finds the quote that closes a literal, whatever is escaped in it and comes after it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n') }),
      fc.string({ unit: fc.constantFrom('"', '\\', 'a') }),
      (text, after) => {
        const literal = JSON.stringify(text);
        assert.equal(closingQuote(`[${literal}${after}`, 1), literal.length);
      },
    ),
    { seed: 6, numRuns: 500 },
  );
});

it('says -1 where nothing closes it', () => {
  for (const open of ['"', '"abc', '"\\"', '"\\\\\\"']) assert.equal(closingQuote(open, 0), -1, open);
});
