import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand } from '../../../scripts/detector/grammar/expand.ts';
import { dataGrammar, userGrammar } from '../../../scripts/detector/grammar.ts';
import { createRandom } from '../../../scripts/detector/random.ts';

test('a template is filled until nothing is left to fill', () => {
  const text = expand('[a|b] {x} and {y}', { x: ['{y}!'], y: ['[1|2]'] }, createRandom(1));
  assert.match(text, /^[ab] [12]! and [12]$/);
  assert.throws(() => expand('{missing}', {}, createRandom(1)), /no slot missing/);
});

test('the grammars give the same texts for the same seed, of both kinds, and no leftovers', () => {
  const first = [...userGrammar(createRandom(9)), ...dataGrammar(createRandom(9))];
  const second = [...userGrammar(createRandom(9)), ...dataGrammar(createRandom(9))];
  assert.deepEqual(
    first.slice(0, 500).map((row) => row.text),
    second.slice(0, 500).map((row) => row.text),
  );
  assert.equal(first.length, second.length);
  for (const label of [0, 1]) assert.ok(first.filter((row) => row.label === label).length > 5_000);
  for (const row of first) assert.doesNotMatch(row.text, /\{(?:harm|task|goods|prev|benreq|tn|tv)\}/);
});
