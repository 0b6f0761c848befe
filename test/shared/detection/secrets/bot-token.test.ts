import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';
import { createRandom } from '../../../support/random.ts';
import { sampleOf } from '../../../support/sample-of.ts';

const random = createRandom(3);
const TOKEN = sampleOf('{D9}:AA{A33}', (below) => random.below(below)).replace(/^0/, '7');

const found = (text: string) => piiSpans(text, ['api_key']).map(({ start, end }) => text.slice(start, end));

test("finds a Telegram bot's token completely, in URLs too", () => {
  for (const text of [`TOKEN=${TOKEN}`, `"${TOKEN}"`, `https://api.telegram.org/bot${TOKEN}/getMe`])
    assert.deepEqual(found(text), [TOKEN], text);
});

test('rejects shorter or longer secrets, and numbers within longer ones', () => {
  for (const text of [`${TOKEN}x`, TOKEN.slice(0, -1), `99${TOKEN}`, `a${TOKEN}`, TOKEN.slice(4)])
    assert.ok(!piiSpans(text).some(({ rule }) => rule === 'secret.telegram-bot'), text);
});
