import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetLabel } from '../../../../apps/cloud/dashboard/src/pages/security-testing/preset-label.ts';

test('a preset is shown by its label; an unknown one by its name', () => {
  assert.equal(presetLabel('support_bot:strict'), 'Support bot, strict');
  assert.equal(presetLabel('future:strict'), 'future:strict');
});
