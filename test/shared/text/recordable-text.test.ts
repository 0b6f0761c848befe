import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordableText } from '../../../shared/text/index.ts';

test('of texts that callers write, the record has hosts and ids alone', () => {
  for (const text of ['chat.example.com', '[::1]:443', 'pol_1', 'a'.repeat(255)]) {
    assert.equal(recordableText(text), text);
  }
  for (const text of [null, '', 'two words', 'a'.repeat(256), 'a@b'])
    assert.equal(recordableText(text), null);
});
