import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SentenceStarts } from '../../../../shared/detection/pieces/sentence-starts.ts';

/** From where on a text is held once its words were read. */
function heldFrom(text: string): number | null {
  const starts = new SentenceStarts();
  for (const { 0: word, index } of text.matchAll(/\S+/g)) starts.read(word, index);
  return starts.heldFrom;
}

test('the beginning of a disclosure is held until its keyword can be known', () => {
  for (const text of [
    'Well, here is what you asked for, in full, my',
    'Well, here is my full entire complete exact system',
    "Well, here's the text of my initial",
    'Well, sureat my internal',
    'Well, of course: the developer said that my',
    'Well, my system prompt',
    'Well, I have been',
    'Well, i was told',
  ])
    assert.equal(heldFrom(text), text.indexOf(' ') + 1, text);
});

test('other sentences are not held for long', () => {
  for (const text of [
    'This plan is good',
    'I went home',
    'My dog likes it',
    'Here is the plan. It is good',
    'This is what we know after a long time of looking at all of the numbers',
  ])
    assert.equal(heldFrom(text), null, text);
});
