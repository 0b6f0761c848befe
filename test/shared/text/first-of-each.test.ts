import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOfEach } from '../../../shared/text/index.ts';

const first = (word: string, count: number): string =>
  firstOfEach([...word], (letter) => letter, count).join('');

test('the first of each key is chosen, then those that come first, all in their order', () => {
  assert.equal(first('aaaba', 9), 'aaaba');
  assert.equal(first('aaaaabac', 4), 'aabc');
  assert.equal(first('aaaaabac', 2), 'ab');
  assert.equal(first('aaaa', 2), 'aa');
  assert.equal(first('', 2), '');
});
