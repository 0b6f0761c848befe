import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cannotBeKey, SentenceStarts } from '../../../shared/streaming/words.ts';

function read(text: string): SentenceStarts {
  const starts = new SentenceStarts();
  for (const { 0: word, index } of text.matchAll(/\S+/g)) starts.read(word, index);
  return starts;
}

test('a sentence that may reveal instructions is held up to a limit, or until it ends', () => {
  const x = (count: number) => 'x'.repeat(count);
  const cases: readonly (readonly [text: string, heldFrom: number | null])[] = [
    ['my', 0],
    ['"(my', 2],
    ['a "(i', 4],
    ['my dog', null],
    ['my full', 0],
    ['my told', null],
    ['i system', null],
    ['I was', 0],
    ['I was good', null],
    ['I was told', 0],
    ['I have been instructed', 0],
    // one character for the space after each word
    [`my full ${x(158)}`, 0],
    [`my full ${x(159)}`, null],
    [`my full ${x(159)} then`, null],
    [`my full ${x(110)} end.`, null],
    [`my full ${x(110)} end`, 0],
    [`my full ${x(107)} end.`, 0],
    [`my full ${x(108)} end.`, null],
    [`my full ${x(110)} my.`, 0],
    ['слово', 0],
    [`слово ${x(46)}`, 0],
    [`слово ${x(47)}`, null],
    [`мy ${x(100)}`, 0],
    [`мы ${x(100)}`, 0],
    ['my слово good', 0],
    [`my full слово ${x(100)}`, 0],
  ];
  for (const [text, expected] of cases) assert.equal(read(text).heldFrom, expected, text);
});

test('is idle before the first word of a sentence and after its last', () => {
  for (const text of ['', 'words', 'my dog', `my full ${'x'.repeat(159)}`])
    assert.equal(read(text).isIdle, true, text);
  for (const text of ['my', 'my full', 'слово']) assert.equal(read(text).isIdle, false, text);
});

test('a word within the limits cannot be part of a key', () => {
  for (const word of [
    'ab',
    '~(',
    'a*b*',
    'abcdefghij',
    'abcdefghij(abcdefghij',
    `${'ab(cd,ef)gh;'.repeat(5)}a,b)`,
  ])
    assert.ok(cannotBeKey(word), word);
  for (const word of [
    '',
    'a',
    'a\u007f',
    'a\u00e9',
    '*b*c*',
    'abcdefghijk',
    '(abcdefghijk)',
    `${'ab(cd,ef)gh;'.repeat(5)}a,b)c`,
  ])
    assert.ok(!cannotBeKey(word), word);
});
