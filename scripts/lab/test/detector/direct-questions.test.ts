import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../../test/support/random.ts';
import { directQuestions } from '../../detector/direct-questions.ts';

const rows = directQuestions(createRandom(1), 1);

test('as many requests for what is kept as for other things, in more than forty languages', () => {
  const languages = new Set(rows.map(({ source }) => source));
  assert.ok(languages.size > 40, `${languages.size}`);
  for (const language of languages)
    for (const label of [0, 1] as const)
      assert.ok(rows.filter((row) => row.source === language && row.label === label).length >= 50, language);
});

test('every place of a template is filled', () => {
  for (const { text } of rows) assert.doesNotMatch(text, /[{}[\]|]/, text);
});
