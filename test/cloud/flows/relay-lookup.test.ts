import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

describe('models', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const list = (headers: Record<string, string> = {}, query = '') =>
    readAnswer(gateway.call('GET', `/api/v1/models${query}`, { bearer: PROVIDER_KEY, headers }));

  test('lists those of the default provider, byte for byte, with the query', async () => {
    testProvider.answer({ body: '{"object":"list",  "data":[{"id":"gpt-test","n":1.0}]}' });
    const answer = await list({}, '?limit=3&after=x');
    assert.equal(answer.text, '{"object":"list",  "data":[{"id":"gpt-test","n":1.0}]}');
    assert.equal(testProvider.lastRequest().url, '/v1/models?limit=3&after=x');
    assert.equal(testProvider.lastRequest().headers.authorization, `Bearer ${PROVIDER_KEY}`);
    assert.equal(answer.headers.get('x-service-decision'), 'allow');
  });

  test('lists those of the provider that the header names, and rejects an unknown one', async () => {
    const answer = await list({ 'x-service-provider': 'anthropic' });
    assert.equal(answer.status, 200);
    assert.equal(testProvider.lastRequest().headers['x-api-key'], PROVIDER_KEY);
    const unknown = await list({ 'x-service-provider': 'nobody' });
    assert.equal(unknown.status, 400);
    assert.equal(unknown.error['code'], 'invalid_request');
  });

  test('does not allow a list with a secret, and reports a rejection and an error of the provider', async () => {
    const key = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
    testProvider.answer({ body: JSON.stringify({ data: [{ id: 'x', description: `Use the key ${key}` }] }) });
    const hidden = await list();
    assert.ok(hidden.status !== 200 || hidden.headers.get('x-service-decision') !== 'allow', hidden.text);
    testProvider.answer({ status: 401, body: '{"error":{"message":"Incorrect API key"}}' });
    assert.equal((await list()).error['code'], 'invalid_api_key');
    await testProvider.fault('not-json');
    assert.equal((await list()).error['code'], 'provider_error');
  });

  test('shows a model of the provider that it belongs to, under the name as it was sent', async () => {
    testProvider.answer({ body: '{"id":"gpt-test",  "owned_by":"x"}' });
    for (const [name, sent] of [
      ['gpt-test', 'gpt-test'],
      ['ft:gpt-4o:org::id', 'ft:gpt-4o:org::id'],
      ['a%2Fb', 'a%2Fb'],
      ['50%25', '50%25'],
    ] as const) {
      const answer = await readAnswer(
        gateway.call('GET', `/api/v1/models/${name}`, { bearer: PROVIDER_KEY }),
      );
      assert.equal(answer.text, '{"id":"gpt-test",  "owned_by":"x"}', name);
      assert.equal(testProvider.lastRequest().url, `/v1/models/${sent}`);
      assert.equal(answer.headers.get('x-service-decision'), 'allow');
    }
    await gateway.call('GET', '/api/v1/proxy/models/claude-test', { bearer: PROVIDER_KEY });
    assert.equal(testProvider.lastRequest().headers['x-api-key'], PROVIDER_KEY);
    assert.equal(testProvider.lastRequest().url, '/v1/models/claude-test');
  });

  test('sends no name that leads to another path, and shows the error of the provider', async () => {
    for (const name of ['%2e%2e', '%2e']) {
      const answer = await readAnswer(
        gateway.call('GET', `/api/v1/models/${name}`, { bearer: PROVIDER_KEY }),
      );
      assert.ok([400, 404].includes(answer.status), `${name}: ${answer.status}`);
    }
    assert.equal(testProvider.requests.filter(({ url }) => url.startsWith('/v1/models/')).length, 0);
    testProvider.answer({
      status: 404,
      body: '{"error":{"message":"No such model.","code":"model_not_found"}}',
    });
    const answer = await readAnswer(gateway.call('GET', '/api/v1/models/none', { bearer: PROVIDER_KEY }));
    assert.deepEqual(
      [answer.status, answer.error['code'], answer.error['provider_code']],
      [404, 'provider_error', 'model_not_found'],
    );
  });

  test('does not count such requests', async () => {
    const used = async () =>
      (await readAnswer(gateway.call('GET', '/api/v1/usage/stats'))).body['requests_used'];
    const before = await used();
    await list();
    assert.equal(await used(), before);
  });
});
