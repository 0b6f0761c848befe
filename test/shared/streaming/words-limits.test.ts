import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlainWords } from '../../../shared/streaming/words.ts';

/** For each word: plain (`+`), letters only (`L`), quiet (`Q`). */
function traits(text: string): string {
  const words = new PlainWords();
  return text
    .split(' ')
    .map((word) => {
      const isPlain = words.isPlain(word);
      return `${isPlain ? '+' : '-'}${words.isLetters ? 'L' : '.'}${words.isQuiet ? 'Q' : '.'}`;
    })
    .join(' ');
}

test('a word is plain, letters only and quiet within its limits', () => {
  const cases: readonly (readonly [text: string, traits: string])[] = [
    ['word', '+LQ'],
    ['aaa', '+LQ'],
    ['zzz', '+LQ'],
    ['Word', '+LQ'],
    ['woRd', '+L.'],
    ['to', '+.Q'],
    ['at', '+..'],
    ['(at)', '-..'],
    ['dot', '-L.'],
    ['Dot,', '-L.'],
    ['eval', '-L.'],
    ['`bc', '+..'],
    ['{bc', '-..'],
    ['a`c', '-..'],
    ['a{c', '-..'],
    ['a'.repeat(14), '+LQ'],
    ['a'.repeat(15), '+L.'],
    ['a'.repeat(18), '+L.'],
    ['a'.repeat(19), '-L.'],
    ['A'.repeat(14), '+L.'],
    ['A'.repeat(15), '-L.'],
    ['é'.repeat(19), '-L.'],
    ['с'.repeat(40), '+L.'],
    ['“word”', '+L.'],
    ['word…', '+L.'],
    ['א\u061cב', '-L.'],
    ['name-at-host', '-L.'],
    ['state-of-the-art', '+L.'],
    ['task_id', '+..'],
    ['some_long_name_her', '+..'],
    ['some_long_name_here', '-..'],
    ['SOME_LONG_NAME', '+..'],
    ['SOME_LONG_NAMES', '-..'],
    ['done.**Next', '+..'],
    ['task_dot', '-..'],
    ['task_at', '-..'],
    ['eval_this', '-..'],
    ['U.S.', '+..'],
    ['U.S.A.x', '-..'],
  ];
  for (const [text, expected] of cases) assert.equal(traits(text), expected, text);
});

test('digits, single characters and qualifiers accumulate until another word comes', () => {
  const cases: readonly (readonly [text: string, traits: string])[] = [
    ['2024 12', '+.. +..'],
    ['2024 123', '+.. -..'],
    ['2024 - 123', '+.. +.. -..'],
    ['2024 word 2024', '+.. +LQ +..'],
    ['2024 WORD 2024', '+.. +L. +..'],
    ['a b', '+.. +..'],
    ['a b c', '+.. +.. -..'],
    ['1 2 3', '+.. +.. -..'],
    ['- - -', '+.. +.. -..'],
    ['a b word c d', '+.. +.. +LQ +.. +..'],
    ['a b to c d', '+.. +.. +.Q +.. +..'],
    ['full entire complete exact word', '+LQ +LQ +LQ -L. +LQ'],
    ['"full" "entire" "complete" "exact"', '+L. +L. +L. -L.'],
    ['full entire complete task_id exact', '+LQ +LQ +LQ +.. +LQ'],
  ];
  for (const [text, expected] of cases) assert.equal(traits(text), expected, text);
});

test('words stay open while they may belong together', () => {
  const state = (text: string) => {
    const words = new PlainWords();
    for (const word of text.split(' ')) words.isPlain(word);
    return [words.isOpen, words.isEndless];
  };
  assert.deepEqual(state('full entire complete'), [false, false]);
  assert.deepEqual(state('full entire complete exact'), [true, true]);
  assert.deepEqual(state('a b'), [false, false]);
  assert.deepEqual(state('a b c'), [true, false]);
  assert.deepEqual(state('a b c d e f g h i j'), [true, false]);
  assert.deepEqual(state('a b c d e f g h i j k'), [true, true]);
});

test('an ordinary word passes and resets what accumulated', () => {
  const fresh = new PlainWords();
  assert.deepEqual([fresh.isLetters, fresh.isQuiet], [false, false]);
  for (const word of ['dot', 'full', 'eval', 'to', 'WORD', 'x_1'])
    assert.equal(fresh.passOrdinary(word), false, word);
  for (const before of ['2024', 'a b', 'full entire complete']) {
    const words = new PlainWords();
    for (const word of before.split(' ')) words.isPlain(word);
    assert.equal(words.passOrdinary('word'), true);
    assert.deepEqual([words.isLetters, words.isQuiet], [true, true]);
    for (const word of before.split(' ')) assert.equal(words.isPlain(word), true, before);
  }
});
