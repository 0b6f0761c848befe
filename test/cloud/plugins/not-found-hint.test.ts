import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../../apps/cloud/src/plugins/not-found-hint.ts';
import { startGateway } from '../../support/gateway.ts';

test('a path with a wrong base names the right one, and others name none', () => {
  for (const [url, meant] of [
    ['/v1/chat/completions', '/api/v1/chat/completions'],
    ['/chat/completions?x=1', '/api/v1/chat/completions'],
    ['/api/v1/v1/messages/', '/api/v1/messages'],
    ['/v1/security/scan', '/api/v1/security/scan'],
  ] as const) {
    assert.match(notFound(url).message, new RegExp(`${meant}\\?`), url);
  }
  for (const url of ['/', '/nothing', '/chat/completionsx', '/api/v1/messages', '//']) {
    assert.doesNotMatch(notFound(url).message, /api\/v1/, url);
  }
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
