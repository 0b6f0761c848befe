import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startTestProvider } from '../support/test-provider.ts';

test('logs one line per request, without secrets, texts or query strings', async (t) => {
  const testProvider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: testProvider.url, env: { LOG_LEVEL: 'trace' } });
  t.after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  const start = gateway.logLines.length;
  const secrets = ['Rumpelstilzchen', 'sk-bearer-secret', 'query-secret', gateway.key, 'idem-secret'];
  const ask = (content: string) =>
    gateway.call('POST', '/api/v1/chat/completions?trace=query-secret', {
      body: { model: 'gpt-test', messages: [{ role: 'user', content }] },
      bearer: 'sk-bearer-secret',
      headers: { 'idempotency-key': 'idem-secret' },
    });
  await ask('My name is Rumpelstilzchen');
  await ask('another body, Rumpelstilzchen');
  await gateway.call('POST', '/api/v1/guard', { body: '{"messages": "Rumpelstilzchen' });
  await testProvider.fault('reset');
  await gateway.call('POST', '/api/v1/chat/completions', {
    body: { model: 'gpt-test', messages: [{ role: 'user', content: 'Rumpelstilzchen' }] },
    bearer: PROVIDER_KEY,
  });
  const lines = gateway.logLines.slice(start);
  const answered = lines.filter((line) => line.includes('"msg":"answered"')).map((line) => JSON.parse(line));
  assert.deepEqual(
    answered.map((line) => [line.method, line.route, line.status]),
    [
      ['POST', '/api/v1/chat/completions', 200],
      ['POST', '/api/v1/chat/completions', 422],
      ['POST', '/api/v1/guard', 400],
      ['POST', '/api/v1/chat/completions', 502],
    ],
  );
  assert.match(answered[0].event_id, /^evt_/);
  assert.equal(answered[0].decision, 'allow');
  assert.match(answered[0].key_id, /^key_/);
  for (const secret of secrets)
    assert.ok(!lines.join('').includes(secret), `${secret.slice(0, 9)}… is in the log`);
});
