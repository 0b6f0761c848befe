import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFinder } from '../../../../shared/detection/read/find-literals.ts';
import { RULE_SETS } from '../../../../shared/detection/rules/index.ts';
import { codesOf } from '../../../support/text-of.ts';

const SETS = Object.values(RULE_SETS).map((rules) => rules.flatMap(({ keywords }) => keywords));

function holdsAny(literals: readonly string[], text: string): boolean {
  const found = createFinder(literals)(codesOf(text), 0, text.length);
  return found < text.length;
}

test('finds every literal at any position, in any case', () => {
  for (const literals of SETS) {
    for (const literal of literals) {
      for (let before = 0; before < 5; before++) {
        const text = `${'x'.repeat(before)}${literal}${before % 2 === 0 ? '' : 'yz'}`;
        assert.ok(holdsAny(literals, text), JSON.stringify(text));
        assert.ok(holdsAny(literals, text.toUpperCase()), JSON.stringify(text.toUpperCase()));
      }
    }
  }
});

test('finds a literal exactly if the text contains one', () => {
  const word = fc.stringMatching(/^[a-d ]{2,4}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.stringMatching(/^[a-dA-D ]{0,40}$/),
      (literals, text) => {
        const lower = text.toLowerCase();
        assert.equal(
          holdsAny(literals, text),
          literals.some((literal) => lower.includes(literal)),
        );
      },
    ),
    { seed: 11, numRuns: 3_000 },
  );
});

test('characters whose lowercase is an ASCII letter match it', () => {
  assert.ok(holdsAny(['task'], 'tas\u212a'));
});
