import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../../apps/cloud/src/plugins/not-found-hint.ts';
import { assertLinear } from '../../support/cpu-time.ts';
import { startGateway } from '../../support/gateway.ts';

test('a path with a wrong base names the right one, and others name none', () => {
  for (const [url, meant, reason] of [
    ['/v1/chat/completions', '/api/v1/chat/completions', 'ends with /api/v1.'],
    ['/chat/completions?x=1', '/api/v1/chat/completions', 'ends with /api/v1.'],
    ['/messages', '/api/v1/messages', 'ends with /api/v1.'],
    ['/v1/security/scan', '/api/v1/security/scan', 'ends with /api/v1.'],
    ['/api/v1/security/scan/', '/api/v1/security/scan', 'ends with a slash.'],
    ['/api/v1/messages//', '/api/v1/messages', 'ends with a slash.'],
    // These clients append the version: their base URL is another one.
    ['/api/v1/v1/messages/', '/api/v1/messages', 'Anthropic clients ends with /api.'],
    [
      '/v1/messages/count_tokens?beta=true',
      '/api/v1/messages/count_tokens',
      'Anthropic clients ends with /api.',
    ],
    [
      '/v1beta/models/gemini-2.5-pro:generateContent',
      '/api/v1beta/models/gemini-2.5-pro:generateContent',
      'Gemini clients ends with /api.',
    ],
    ['/api/v1/v1beta/models', '/api/v1beta/models', 'Gemini clients ends with /api.'],
    [
      '/openai/deployments/gpt-4.1/chat/completions?api-version=1',
      '/api/openai/deployments/gpt-4.1/chat/completions',
      'Azure OpenAI clients ends with /api.',
    ],
  ] as const) {
    const { message } = notFound(url);
    assert.ok(message.startsWith(`Not found. Did you mean ${meant}? `), `${url}: ${message}`);
    assert.ok(message.endsWith(reason), `${url}: ${message}`);
  }
  for (const url of ['/', '/nothing', '/chat/completionsx', '/api/v1/messages', '/api/v1beta/models', '//']) {
    assert.doesNotMatch(notFound(url).message, /api\/v1/, url);
  }
});

test('a name in the URL is repeated only if it is one', () => {
  const { message } = notFound('/v1beta/models/<b>:generateContent');
  assert.equal(message, notFound('/nothing').message);
});

test('a client with a wrong base URL gets the hint', async () => {
  const gateway = await startGateway();
  try {
    const reply = await gateway.call('POST', '/v1/chat/completions', { body: { model: 'm', messages: [] } });
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    assert.deepEqual([reply.status, error.code], [404, 'not_found']);
    assert.match(error.message, /\/api\/v1\/chat\/completions/);
  } finally {
    await gateway.close();
  }
});

test('paths that nearly match take linear time', () => {
  for (const unit of ['/', '/openai/deployments/a', '/v1beta/models', '/v1/messages'])
    assertLinear(unit, (size) => `${unit.repeat(size / unit.length)}!`, notFound, 1_500);
});
