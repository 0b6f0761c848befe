import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyReplacements, changesBetween } from '@csg/shared/text';
import fc from 'fast-check';

test('applying the changes gives the service’s text, wherever the masks are', () => {
  const mask = fc.constantFrom('[EMAIL]', '[PHONE]', '[CREDIT_CARD]', '[REDACTED]');
  const word = fc.constantFrom('a', ' ', 'a b', '1 1', '[EMAIL]', ', ', 'x');
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.option(mask, { nil: null })), { maxLength: 12 }), (parts) => {
      const before = parts.map(([text]) => text).join('');
      const after = parts.map(([text, masked]) => masked ?? text).join('');
      assert.equal(applyReplacements(before, changesBetween(before, after)), after);
    }),
    { seed: 5, numRuns: 2_000 },
  );
});

test('only masked parts are replaced', () => {
  assert.deepEqual(changesBetween('to a@b.cc now', 'to [EMAIL] now'), [
    { start: 3, end: 9, text: '[EMAIL]' },
  ]);
  assert.deepEqual(changesBetween('[EMAIL] and a@b.cc', '[EMAIL] and [EMAIL]'), [
    { start: 12, end: 18, text: '[EMAIL]' },
  ]);
  assert.deepEqual(changesBetween('wholly', 'different'), [{ start: 0, end: 6, text: 'different' }]);
});

test('a withheld passage has its position, too', () => {
  const marker = '[WITHHELD: instruction in untrusted content]';
  assert.deepEqual(changesBetween('{"a":"go now","b":1}', `{"a":"${marker}","b":1}`), [
    { start: 6, end: 12, text: marker },
  ]);
});
