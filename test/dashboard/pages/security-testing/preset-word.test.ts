import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetWord } from '../../../../apps/cloud/dashboard/src/pages/security-testing/preset-word.ts';

test('a preset is told in words; one that is not known as it is called', () => {
  assert.equal(presetWord('support_bot:strict'), 'Support bot, strict');
  assert.equal(presetWord('future:strict'), 'future:strict');
});
