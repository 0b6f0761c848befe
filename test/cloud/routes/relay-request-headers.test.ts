/** Headers that a provider sees are read like the request (decisions 5.1). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const SSN = '536-90-4399';
const CARD = '4111 1111 1111 1111';
const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'What is the capital of France?' }] };

describe('headers of a request', () => {
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

  const post = async (headers: Record<string, string>, route = 'chat/completions') =>
    readAnswer(gateway.call('POST', `/api/v1/${route}`, { bearer: PROVIDER_KEY, body, headers }));
  const typesOf = async (eventId: string | null) => {
    const event = await gateway.storage.events.get(gateway.account.organizationId, eventId ?? '');
    return event?.findings.map(({ type, reportOnly }) => [type, reportOnly ?? false]);
  };

  test('what every client sends passes as it is', async () => {
    const usual = {
      'user-agent': 'OpenAI/JS 6.3.0',
      'x-stainless-runtime-version': 'v24.1.0',
      'openai-organization': 'org-abc123',
      'x-client-request-id': '6fd1c8a0-41e2-4a5b-93b1-7f8f4c0f5a11',
    };
    for (let n = 0; n < 2; n++) {
      const passed = await post(usual);
      assert.equal(passed.headers.get('x-service-decision'), 'allow');
      const sent = testProvider.lastRequest();
      for (const [name, value] of Object.entries(usual)) assert.equal(sent.headers[name], value);
      assert.deepEqual(JSON.parse(sent.body.toString()), body);
    }
  });

  for (const name of [
    'user-agent',
    'openai-organization',
    'openai-project',
    'openai-beta',
    'x-stainless-lang',
  ])
    test(`${name}: personal data is masked in place and reported, the body passes as it is`, async () => {
      const masked = await post({ [name]: `a ${SSN} b ${CARD}` });
      assert.deepEqual([masked.status, masked.headers.get('x-service-decision')], [200, 'redact']);
      const sent = testProvider.lastRequest();
      assert.equal(sent.headers[name], 'a [SSN] b [CREDIT_CARD]');
      assert.equal(sent.body.toString(), JSON.stringify(body));
      assert.ok(((await typesOf(masked.headers.get('x-service-event-id'))) ?? []).length >= 2);
    });

  test('a secret and personal data in the body are masked in both', async () => {
    const key = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
    const headers = { 'openai-project': key, 'user-agent': 'curl/8' };
    const content = `My SSN is ${SSN}`;
    const masked = await readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', {
        bearer: PROVIDER_KEY,
        headers,
        body: { ...body, messages: [{ role: 'user', content }] },
      }),
    );
    assert.equal(masked.headers.get('x-service-decision'), 'redact');
    const sent = testProvider.lastRequest();
    assert.doesNotMatch(JSON.stringify(sent.headers), /AKIAIOSFODNN7/);
    assert.match(sent.body.toString(), /My SSN is \[SSN\]/);
  });

  test('an address in the User-Agent is reported only, elsewhere it is masked', async () => {
    const agent = 'crawler/1.0 (+mailto:kim.lee@example.com)';
    const told = await post({ 'user-agent': agent });
    assert.equal(told.headers.get('x-service-decision'), 'allow');
    assert.equal(testProvider.lastRequest().headers['user-agent'], agent);
    const [found] = (await typesOf(told.headers.get('x-service-event-id'))) ?? [];
    assert.equal(found?.[1], true);
    await post({ 'openai-project': 'kim.lee@example.com', 'user-agent': agent });
    assert.equal(testProvider.lastRequest().headers['openai-project'], '[EMAIL]');
    assert.equal(testProvider.lastRequest().headers['user-agent'], agent);
  });

  test('generated headers are read for our own keys alone', async () => {
    const trace = '4111111111111111';
    const passed = await post({ 'x-client-request-id': trace });
    assert.equal(passed.headers.get('x-service-decision'), 'allow');
    assert.equal(testProvider.lastRequest().headers['x-client-request-id'], trace);
    const { plain } = await gateway.addKey();
    const masked = await post({ 'x-client-request-id': plain });
    assert.notEqual(masked.headers.get('x-service-decision'), 'allow');
    assert.doesNotMatch(
      JSON.stringify(testProvider.requests.map(({ headers }) => headers)),
      new RegExp(plain),
    );
  });

  test('a request without a body is read as well', async () => {
    const call = (agent: string) =>
      readAnswer(
        gateway.call('GET', '/api/v1/models', { bearer: PROVIDER_KEY, headers: { 'user-agent': agent } }),
      );
    await call('curl/8');
    assert.equal(testProvider.lastRequest().headers['user-agent'], 'curl/8');
    await call(`curl/8 ${CARD}`);
    assert.equal(testProvider.lastRequest().headers['user-agent'], 'curl/8 [CREDIT_CARD]');
  });
});
