import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SentenceStarts } from '../../../shared/streaming/words.ts';

/** Returns the offset from which a text is held after its words were read. */
function heldFrom(text: string): number | null {
  const starts = new SentenceStarts();
  for (const { 0: word, index } of text.matchAll(/\S+/g)) starts.read(word, index);
  return starts.heldFrom;
}

test('the beginning of a disclosure is held until its keyword can be known', () => {
  for (const [text, begins] of [
    ['Well, here is what you asked for, in full, my', 'my'],
    ['Well, here is my full entire complete exact system', 'my'],
    ["Well, here's the text of my initial", 'my'],
    ['Well, sureat my internal', 'my'],
    ['Well, of course: the developer said that my', 'my'],
    ['Well, my system prompt', 'my'],
    ['Well, my ѕystem prompt', 'my'],
    ['Well, mу system prompt that I was given', 'mу'],
    ['Well, I have been', 'I'],
    ['Well, i was told', 'i'],
  ] as const)
    assert.equal(heldFrom(text), text.indexOf(` ${begins}`) + 1, text);
});

test('other sentences are not held', () => {
  for (const text of [
    'This plan is good',
    'I went home',
    'I am happy',
    'Sure, here is the plan',
    'Certainly! These are',
    'My dog likes it',
    'Here is the plan. It is good',
    'This is what we know after a long time of looking at all of the numbers',
  ])
    assert.equal(heldFrom(text), null, text);
});
