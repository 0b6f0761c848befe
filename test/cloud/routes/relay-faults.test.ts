import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { type ProviderFault, startTestProvider, type TestProvider } from '../../support/test-provider.ts';
import { until } from '../../support/until.ts';

/** What a provider does wrong, and the status of the response. */
const FAULTS: readonly (readonly [ProviderFault, number])[] = [
  ['refuse', 502],
  ['reset', 502],
  ['half', 502],
  ['half-stream', 502],
  ['short-stream', 502],
  ['not-json', 502],
  ['html', 502],
  ['malformed-stream', 502],
  ['not-http', 502],
  ['empty', 502],
  ['redirect', 502],
  ['huge', 502],
  ['huge-told', 502],
  ['bad-gzip', 502],
  ['unknown-encoding', 502],
  ['stall', 504],
  ['stall-midway', 504],
  ['slow', 504],
];

describe('a provider that fails', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  /** For the faults that last until the time is up; all others have as much as they need. */
  let hasty: TestGateway;
  before(async () => {
    testProvider = await startTestProvider();
    const start = (env: Record<string, string>) =>
      startGateway({ providerUrl: testProvider.url, env: { ...env, ANSWER_LIMIT_BYTES: '2000000' } });
    gateway = await start({});
    hasty = await start({ UPSTREAM_TIMEOUT_MS: '1000' });
  });
  after(async () => {
    await gateway.close();
    await hasty.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const ask = (stream = false, of = gateway) =>
    of.call('POST', '/api/v1/chat/completions', {
      body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }], stream },
      bearer: PROVIDER_KEY,
    });

  for (const [fault, status] of FAULTS) {
    test(`${fault}: ${status} provider_error, and the decision on the prompt is recorded`, async () => {
      await testProvider.fault(fault);
      const called = status === 504 ? hasty : gateway;
      const response = await ask(fault.includes('stream') || fault === 'slow', called);
      const body = (await response.json()) as { error: { code: string; message: string; provider: string } };
      assert.equal(response.status, status, JSON.stringify(body));
      assert.equal(body.error.code, 'provider_error');
      assert.equal(body.error.provider, 'openai');
      assert.ok(!body.error.message.includes('127.0.0.1'), 'the address is not revealed');
      const eventId = response.headers.get('x-service-event-id') as string;
      const event = await called.storage.events.get(called.account.organizationId, eventId);
      assert.equal(event?.decision, 'allow');
    });
  }

  test('a rejected credential is reported with the name of the provider', async () => {
    testProvider.answer({
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}',
    });
    const response = await ask();
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    assert.equal(response.status, 401);
    assert.equal(error.code, 'invalid_api_key');
    assert.match(error.message, /OpenAI/);
  });

  test('a provider’s rate limit has type rate_limit_error, its own Retry-After and no retry_after', async () => {
    testProvider.answer({
      status: 429,
      headers: { 'retry-after': '17' },
      body: '{"error":{"message":"Slow down"}}',
    });
    const response = await ask();
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    assert.equal(response.status, 429);
    assert.equal(error['code'], 'rate_limit_exceeded');
    assert.equal(error['type'], 'rate_limit_error');
    assert.equal('retry_after' in error, false);
    assert.equal(response.headers.get('retry-after'), '17');
  });

  test('a secret in a provider’s error is not forwarded', async () => {
    const secret = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
    testProvider.answer({ status: 400, body: JSON.stringify({ error: { message: `bad key ${secret}` } }) });
    const response = await ask();
    assert.equal(response.status, 400);
    assert.ok(!(await response.text()).includes(secret));
  });

  test('the service works after all of that', async () => {
    for (const called of [gateway, hasty]) {
      // A busy machine may need more than the second that the hasty one has.
      const { status } = await until(
        () => ask(false, called),
        (response) => response.status !== 504,
      );
      assert.equal(status, 200);
      assert.equal((await called.storage.audit.verify(called.account.organizationId)).valid, true);
    }
  });
});
