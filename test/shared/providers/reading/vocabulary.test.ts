import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isKnownValue, KNOWN_NAMES, KNOWN_VALUES } from '../../../../shared/providers/reading/vocabulary.ts';

it('holds single short words that can carry neither an attack nor a secret', () => {
  for (const word of [...KNOWN_NAMES, ...KNOWN_VALUES]) {
    assert.match(word, /^[\w$./[\]-]{1,60}$/);
    assert.doesNotMatch(word, /\d{5}|@|ignore|bypass|reveal|password|secret|bash/i);
  }
});

it('knows exact words only', () => {
  for (const yes of ['user', 'chat.completion.chunk', '[DONE]']) assert.ok(isKnownValue(yes), yes);
  for (const no of ['User', 'user ', '', 'userx', 'bash', 'gpt-4o', 'x'.repeat(1_000)])
    assert.ok(!isKnownValue(no), no);
});
