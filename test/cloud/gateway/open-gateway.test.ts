import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { addAccount } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway } from '../../support/gateway.ts';
import { startTestProvider } from '../../support/test-provider.ts';

test('applies the operator’s own plans and providers', async (t) => {
  const testProvider = await startTestProvider();
  const first = await startGateway({ isOwn: true });
  const plansFile = join(first.dataDir, 'plans.json');
  const providersFile = join(first.dataDir, 'providers.json');
  await writeFile(plansFile, '{"free":{"perMinute":7,"monthly":20000}}');
  await writeFile(
    providersFile,
    JSON.stringify([
      { name: 'local', base_url: testProvider.url, dialects: ['openai-chat'], model_patterns: ['llama-*'] },
    ]),
  );
  const gateway = await startGateway({
    env: { GATEWAY_PLANS_FILE: plansFile, PROVIDERS_FILE: providersFile },
  });
  t.after(async () => {
    await Promise.all([gateway.close(), first.close(), testProvider.close()]);
  });
  const account = await addAccount(gateway, { plan: 'free' });
  const stats = await readAnswer(gateway.call('GET', '/api/v1/usage/stats', { key: account.key }));
  assert.equal(stats.headers.get('x-ratelimit-limit'), '7');
  assert.equal(stats.body['requests_limit'], 20_000);
  const chat = await gateway.call('POST', '/api/v1/chat/completions', {
    body: { model: 'llama-3', messages: [{ role: 'user', content: 'hello' }] },
    bearer: PROVIDER_KEY,
  });
  assert.equal(chat.status, 200);
  assert.equal(testProvider.requests.length, 1);
});

test('waits for running requests when it closes, and no longer than configured', async (t) => {
  const waiting: ServerResponse[] = [];
  const testProvider = createServer((_request, response) => waiting.push(response)).listen(0, '127.0.0.1');
  await once(testProvider, 'listening');
  t.after(() => {
    testProvider.close();
    testProvider.closeAllConnections();
  });
  const providerUrl = `http://127.0.0.1:${(testProvider.address() as AddressInfo).port}`;
  const gateway = await startGateway({ isOwn: true, providerUrl, env: { DRAIN_MS: '50' } });
  const arrived = once(testProvider, 'request');
  const running = gateway.call('POST', '/api/v1/chat/completions', {
    body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] },
    bearer: PROVIDER_KEY,
  });
  running.catch(() => {});
  await arrived;
  await gateway.close();
  await assert.rejects(running);
});
