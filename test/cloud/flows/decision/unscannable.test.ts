import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  isTooLong,
  MAX_TEXT_CHARACTERS,
  rejectLongTexts,
} from '../../../../apps/cloud/src/flows/decision/unscannable.ts';
import { readAnswer } from '../../../support/answers.ts';
import { startGateway } from '../../../support/gateway.ts';
import { startTestProvider } from '../../../support/test-provider.ts';

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

test('every route that takes longer bodies rejects it before the request is counted', async (t) => {
  const provider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: provider.url });
  t.after(async () => {
    await gateway.close();
    await provider.close();
  });
  const used = async () =>
    (await readAnswer(gateway.call('GET', '/api/v1/usage/stats'))).body['requests_used'];
  const before = await used();
  const text = 'x'.repeat(MAX_TEXT_CHARACTERS + 1);
  const messages = [{ role: 'user', content: text }];
  for (const [path, body] of [
    ['chat/completions', { model: 'm', messages }],
    ['guard', { messages }],
    ['agent/validate-tool', { agent_id: 'a', tool_name: 'note', arguments: { text } }],
  ] as const) {
    const answer = await readAnswer(gateway.call('POST', `/api/v1/${path}`, { bearer: 'sk-own', body }));
    assert.deepEqual([answer.status, answer.error['code']], [413, 'payload_too_large'], path);
    assert.equal(answer.error['max_characters'], MAX_TEXT_CHARACTERS, path);
  }
  assert.equal(provider.requests.length, 0);
  assert.equal(await used(), before);
});
