import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  isTooLong,
  MAX_TEXT_CHARACTERS,
  rejectLongTexts,
} from '../../../../apps/cloud/src/flows/decision/unscannable.ts';

const slot = (text: string, path = '/content') => ({ path, role: 'user' as const, text });

test('the limit counts code points, in one text, not in a text joined from several', () => {
  assert.equal(isTooLong(slot('x'.repeat(MAX_TEXT_CHARACTERS))), false);
  assert.equal(isTooLong(slot('x'.repeat(MAX_TEXT_CHARACTERS + 1))), true);
  assert.equal(isTooLong(slot('\u{1f600}'.repeat(MAX_TEXT_CHARACTERS))), false);
  assert.equal(isTooLong(slot('\u{1f600}'.repeat(MAX_TEXT_CHARACTERS + 1))), true);
  assert.equal(isTooLong(slot(`${'\u{1f600}'.repeat(MAX_TEXT_CHARACTERS - 1)}xx`)), true);
  assert.equal(
    isTooLong(slot('\ud83d'.repeat(MAX_TEXT_CHARACTERS + 1))),
    true,
    'a lone surrogate counts as one',
  );
  assert.equal(isTooLong(slot('x'.repeat(MAX_TEXT_CHARACTERS + 1), '#joined:/messages/0')), false);
});

test('a request with such a text is rejected with the limit', () => {
  rejectLongTexts([slot('hello')]);
  assert.throws(
    () => rejectLongTexts([slot('hello'), slot('x'.repeat(MAX_TEXT_CHARACTERS + 1))]),
    (error) => {
      assert.ok(error instanceof CodedError);
      assert.equal(error.code, 'payload_too_large');
      assert.equal(error.message, 'A text may have at most 4,000,000 characters.');
      return true;
    },
  );
});
