import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { cannotBeKey } from '../../../shared/streaming/words.ts';
import { createRandom } from '../../support/random.ts';
import { sampleOf } from '../../support/sample-of.ts';

test('words of prose and short words of code cannot belong to a key', () => {
  for (const word of ['Sure,', '1,234,567', '(x', '=>', 'f(a,', '+49', '|---|', 'i++;', '"key":', '12/1987'])
    assert.ok(cannotBeKey(word), word);
});

test('a key of any known form cannot be excluded, also with stars between its characters', () => {
  const random = createRandom(7);
  for (const { id, form } of SECRET_KINDS) {
    const key = sampleOf(form, (below) => random.below(below));
    assert.ok(!cannotBeKey(key), id);
    assert.ok(!cannotBeKey([...key].join('*')), id);
  }
});

test('the beginning of a URL, a tag or a script cannot be excluded', () => {
  for (const word of ['a://b', 'a@b', '![x', 'b](c', '<b>', 'url(a', '(eval', 'ключ', 'a*b*c*d', 'x'])
    assert.ok(!cannotBeKey(word), word);
});
