import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { PlainWords } from '../../../shared/streaming/words.ts';

const notPlain = (text: string) => {
  const words = new PlainWords();
  return text.split(' ').filter((word) => !words.isPlain(word));
};

test('prose is plain, with years, lists and quotations', () => {
  for (const text of [
    'In 2024 we sold 12 of them: "a good year", said the state-of-the-art report.',
    '- **First,** it’s naïve… - second',
    'Straße и слово 漢字',
    '## Title | sum + rest',
  ])
    assert.deepEqual(notPlain(text), [], text);
});

test('words that may be part of a value are not plain', () => {
  assert.deepEqual(notPlain('call 415 555 2671 now'), ['2671']);
  assert.deepEqual(notPlain('a b c d'), ['c', 'd']);
  for (const word of [
    'anna@example.com',
    '12:30',
    '(at)',
    'dot',
    'tod',
    'x1',
    'a_b',
    'http://a',
    'anna-at-host',
    '[a]',
  ])
    assert.deepEqual(notPlain(word), [word]);
});

test('a key spelled letter by letter may have any length', () => {
  const words = new PlainWords();
  for (const letter of 'ghp_a0oppL') words.isPlain(letter);
  assert.equal(words.isEndless, false);
  words.isPlain('x');
  assert.equal(words.isEndless, true);
});

test('a key of letters only is longer than any plain word', () => {
  for (const { form } of SECRET_KINDS)
    for (const letter of ['x', 'X']) {
      const letters = form.replace(/\{([A-Z])(\d+)(?:-\d+)?\}/g, (_hole, set, count) =>
        (set === 'D' ? '1' : letter).repeat(Number(count)),
      );
      assert.notDeepEqual(notPlain(letters), [], `${form} of ${letter}`);
    }
});
