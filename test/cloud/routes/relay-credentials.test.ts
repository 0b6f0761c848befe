import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const ANTHROPIC_KEY = 'sk-ant-api03-of-a-caller';
const OPENAI_KEY = 'sk-proj-of-a-caller';
const SSN = '536-90-4399';
const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;

describe('"A credential never goes to a provider it was not meant for"', () => {
  let openaiProvider: TestProvider;
  let anthropicProvider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    [openaiProvider, anthropicProvider] = [await startTestProvider(), await startTestProvider()];
    gateway = await startGateway({
      env: { PROVIDER_OPENAI_URL: openaiProvider.url, PROVIDER_ANTHROPIC_URL: anthropicProvider.url },
    });
  });
  after(async () => {
    await gateway.close();
    await Promise.all([openaiProvider.close(), anthropicProvider.close()]);
  });
  beforeEach(() => Promise.all([openaiProvider.reset(), anthropicProvider.reset()]));

  const calls = () => [openaiProvider.requests.length, anthropicProvider.requests.length];
  const headers = () => ({ 'X-API-Key': gateway.key });

  test('GET /models goes to the provider that the credential or the package belongs to', async () => {
    const anthropic = new Anthropic({
      baseURL: `${gateway.address}/api`,
      authToken: 'sk-of-unknown-form',
      defaultHeaders: headers(),
    });
    assert.ok((await anthropic.models.list()).data.length > 0);
    assert.deepEqual(calls(), [0, 1]);
    const openai = (apiKey: string) =>
      new OpenAI({ baseURL: `${gateway.address}/api/v1`, apiKey, defaultHeaders: headers(), maxRetries: 0 });
    assert.ok((await openai(ANTHROPIC_KEY).models.list()).data.length > 0);
    assert.deepEqual(calls(), [0, 2]);
    assert.equal(anthropicProvider.lastRequest().headers['x-api-key'], ANTHROPIC_KEY);
    await openai(OPENAI_KEY).models.list();
    await openai('sk-of-unknown-form').models.list();
    assert.deepEqual(calls(), [2, 2]);
  });

  for (const [path, bearer, label] of [
    ['chat/completions', ANTHROPIC_KEY, 'OpenAI'],
    ['responses', ANTHROPIC_KEY, 'OpenAI'],
    ['messages', OPENAI_KEY, 'Anthropic'],
    ['messages/count_tokens', OPENAI_KEY, 'Anthropic'],
    ['proxy/chat/completions', 'gsk_of-a-caller', 'OpenAI'],
  ] as const) {
    test(`${path} with a key of another provider is a 401 that names the provider, and no call`, async () => {
      const body = { model: 'm', max_tokens: 9, input: 'hi', messages: [{ role: 'user', content: 'hi' }] };
      const answer = await readAnswer(gateway.call('POST', `/api/v1/${path}`, { body, bearer }));
      assert.deepEqual([answer.status, answer.error['code']], [401, 'invalid_api_key']);
      assert.match(String(answer.error['message']), new RegExp(label));
      assert.equal(answer.error['provider'], label.toLowerCase());
      assert.ok(!answer.text.includes(bearer));
      assert.deepEqual(calls(), [0, 0]);
    });
  }

  test('GET /models of a named provider with a key of another one is a 401, and no call', async () => {
    const answer = await readAnswer(
      gateway.call('GET', '/api/v1/models', {
        bearer: ANTHROPIC_KEY,
        headers: { 'x-service-provider': 'openai' },
      }),
    );
    assert.deepEqual([answer.status, answer.error['code']], [401, 'invalid_api_key']);
    assert.deepEqual(calls(), [0, 0]);
  });
});

describe('errors and headers of a provider', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const ask = (stream = false) =>
    readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', {
        body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }], stream },
        bearer: 'sk-provider-test',
      }),
    );

  test('type, code and param of an error are scanned like its message', async () => {
    for (const name of ['type', 'code', 'param', 'message']) {
      testProvider.answer({ status: 400, body: JSON.stringify({ error: { message: 'No.', [name]: SSN } }) });
      const masked = await ask();
      assert.deepEqual([masked.status, masked.error['code']], [400, 'provider_error'], name);
      assert.ok(!masked.text.includes(SSN), `${name}: ${masked.text}`);
      assert.ok(masked.text.includes('[SSN]'), `${name}: ${masked.text}`);
      assert.equal(masked.headers.get('x-service-decision'), 'redact', name);

      testProvider.answer({
        status: 400,
        body: JSON.stringify({ error: { message: 'No.', [name]: SECRET } }),
      });
      const withheld = await ask();
      assert.ok(!withheld.text.includes(SECRET), `${name}: ${withheld.text}`);
      assert.equal(withheld.headers.get('x-service-decision'), 'block', name);
    }
  });

  test('forwarded header values are scanned like responses, whole and streamed, accepted and rejected', async () => {
    const whole = JSON.stringify({ id: 'c', choices: [{ index: 0, message: { content: 'Fine.' } }] });
    const chunk = JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Fine.' } }] });
    for (const [what, status, type, body] of [
      ['whole', 200, 'application/json', whole],
      ['streamed', 200, 'text/event-stream', `data: ${chunk}\n\ndata: [DONE]\n\n`],
      ['refused', 400, 'application/json', '{"error":{"message":"No."}}'],
    ] as const)
      for (const value of [`ssn ${SSN}`, `key ${SECRET}`]) {
        const headers = { 'content-type': type, 'openai-note': value, 'openai-version': '2' };
        testProvider.answer({ status, body, headers });
        const answer = await ask(what === 'streamed');
        const shown = JSON.stringify([...answer.headers]);
        assert.ok(!shown.includes(SSN) && !shown.includes(SECRET), `${what}: ${shown}`);
        const decision = answer.headers.get('x-service-decision');
        assert.equal(decision, value.startsWith('ssn') ? 'redact' : 'block', what);
        if (decision === 'redact') {
          assert.equal(answer.headers.get('openai-note'), 'ssn [SSN]', what);
          assert.equal(answer.headers.get('openai-version'), '2', what);
        }
      }
  });

  test('the headers that providers really send are forwarded as they are', async () => {
    const headers = {
      'x-request-id': 'req_018EeWyXxfu5pfWkrYcMdjWG',
      'openai-organization': 'user-l1kmpckcyhrynxdo5ejqwbvz',
      'openai-processing-ms': '1234567',
      'openai-version': '2020-10-01',
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-limit-tokens': '150000000',
      'x-ratelimit-remaining-tokens': '149984829',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-reset-tokens': '4.32ms',
      'x-ratelimit-limit': '1732320000',
      'x-ratelimit-reset': '1732320000',
      'retry-after': '3',
      'openai-project': 'proj_4hUqPzP0vHd6cGzVvYkq1m2X',
    };
    testProvider.answer({ status: 400, headers, body: '{"error":{"message":"No."}}' });
    const answer = await ask();
    assert.equal(answer.headers.get('x-service-decision'), 'allow');
    for (const [name, value] of Object.entries(headers)) {
      const shown = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-reset'].includes(name)
        ? name.replace('x-', 'x-provider-')
        : name;
      assert.equal(answer.headers.get(shown), value, shown);
    }
  });
});
