import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelLimit } from '../../../../apps/cloud/src/storage/batch/label-limit.ts';

const DAY = '2026-11-20';

test('the first 1,000 labels of a key are stored, further ones not until the next day', () => {
  const isStored = createLabelLimit();
  for (let n = 1; n <= 1_000; n++) assert.ok(isStored('key_a', DAY, `tag=n=${n}`));
  assert.equal(isStored('key_a', DAY, 'tag=n=1001'), false);
  assert.equal(isStored('key_a', DAY, 'tag=n=1000'), true, 'a known one');
  assert.equal(isStored('key_b', DAY, 'tag=n=1001'), true, 'another key has labels of its own');
  assert.equal(isStored('key_a', '2026-11-19', 'tag=n=1001'), false, 'a late event of the day before');
  assert.equal(isStored('key_a', '2026-11-21', 'tag=n=1001'), true);
});
