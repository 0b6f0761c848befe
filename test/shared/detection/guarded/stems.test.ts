import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStem } from '../../../../shared/detection/guarded/stems.ts';

function stemsOf(text: string): number[] {
  const stems: number[] = [];
  eachStem(text, 0, text.length, (stem) => stems.push(stem));
  return stems;
}

test('endings, case and accents do not change a stem; short words have none', () => {
  assert.deepEqual(stemsOf('Garden gardens GARDENER'), Array(3).fill(stemsOf('garden')[0]));
  assert.deepEqual(stemsOf('réveil'), stemsOf('REVEIL'));
  assert.deepEqual(stemsOf('it is so'), []);
});

test('scripts without spaces are read in pairs of characters', () => {
  assert.equal(stemsOf('常春藤').length, 2);
  assert.equal(stemsOf('春藤')[0], stemsOf('常春藤')[1]);
});

test('reads only between the offsets', () => {
  const found: number[] = [];
  eachStem('lantern bridge', 8, 14, (stem) => found.push(stem));
  assert.deepEqual(found, stemsOf('bridge'));
});
