import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { closingQuote, jsonScalars } from '../../../shared/text/index.ts';

it('finds the quote that closes a literal, whatever is escaped in it and follows it', () => {
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

it('returns -1 if nothing closes it', () => {
  for (const open of ['"', '"abc', '"\\"', '"\\\\\\"']) assert.equal(closingQuote(open, 0), -1, open);
});

it('finds every scalar of JSON at its position', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat({ max: 3 }), (value, indent) => {
      const source = JSON.stringify(value, null, indent);
      const scalars = [...jsonScalars(source)].map(({ start, end }) => source.slice(start, end));
      const due: string[] = [];
      const walk = (one: unknown): void => {
        if (typeof one !== 'object' || one === null) due.push(JSON.stringify(one));
        else if (Array.isArray(one)) one.forEach(walk);
        else {
          for (const [name, member] of Object.entries(one)) {
            due.push(JSON.stringify(name));
            walk(member);
          }
        }
      };
      walk(value);
      assert.deepEqual(scalars, due);
    }),
    { seed: 9, numRuns: 300 },
  );
});
