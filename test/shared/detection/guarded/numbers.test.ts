import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestNumber, numbersIn } from '../../../../shared/detection/guarded/numbers.ts';

test('reads a number with separators as one', () => {
  assert.deepEqual(numbersIn('from 1,250 to 2.400 in 30 days'), ['1250', '2400', '30']);
});

test('rates a guess near a guarded number above one with as many digits, and that above any other', () => {
  assert.equal(nearestNumber('is it 7000?', ['6500']), 3);
  assert.equal(nearestNumber('it starts with 65', ['6500']), 3);
  assert.equal(nearestNumber('is it 1000?', ['6500']), 2);
  assert.equal(nearestNumber('a table for 4', ['6500']), 1);
  assert.equal(nearestNumber('no number', ['6500']), 0);
  assert.equal(nearestNumber('is it 7000?', []), 0);
});
