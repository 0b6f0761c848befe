import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const CLAUDE_CODE = 'claude-cli/2.1.330 (external, cli)';
const GEMINI_CLI = 'GeminiCLI-tui/0.61.0/gemini-2.5-flash (linux; x64; terminal)';
const GEMINI = '/api/v1beta/models/gemini-test:streamGenerateContent?alt=sse';

describe('a request that an agent repeats after its response was blocked', () => {
  const clock = createManualClock();
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let second: TestGateway;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url, clock });
    second = await startGateway({ providerUrl: testProvider.url, clock, dataDir: gateway.dataDir });
  });
  after(async () => {
    await second.close();
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(async () => {
    clock.advance(60_000);
    await testProvider.reset();
  });

  const text = (content: string) => ({
    body: `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: content }] } }] })}\n\n`,
    headers: { 'content-type': 'text/event-stream' },
  });
  const askGemini = (content: string, agent = GEMINI_CLI, at = gateway, key = gateway.key) =>
    readAnswer(
      at.call('POST', GEMINI, {
        key,
        body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
        headers: { 'user-agent': agent, 'x-goog-api-key': 'AIzaSy-of-a-caller' },
      }),
    );
  const askClaude = (stream: boolean, agent = CLAUDE_CODE) =>
    readAnswer(
      gateway.call('POST', '/api/v1/messages', {
        bearer: 'sk-ant-test',
        body: { model: 'claude-test', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], stream },
        headers: { 'user-agent': agent, 'anthropic-version': '2023-06-01' },
      }),
    );

  test('gets the same block as an error, from every instance, for one call upstream (Gemini CLI)', async () => {
    testProvider.answer(text(`The key is ${SECRET}`));
    const first = await askGemini('Hello');
    assert.match(first.text, /^data: .*PERMISSION_DENIED.*\n\nevent: error\n/);
    for (const at of [gateway, second, gateway]) {
      clock.advance(4_000);
      const repeated = await askGemini('Hello', GEMINI_CLI, at);
      assert.deepEqual([repeated.status, repeated.error['code']], [403, 'response_blocked']);
      assert.ok(first.text.includes(String(repeated.error['message'])), repeated.text);
      for (const name of ['event-id', 'decision', 'threat-type', 'confidence'])
        assert.equal(repeated.headers.get(`x-service-${name}`), first.headers.get(`x-service-${name}`));
    }
    assert.equal(testProvider.requests.length, 1);
  });

  test('gets the block in the form of a whole response if it is repeated without a stream (Claude Code)', async () => {
    testProvider.answer({ text: `The key is ${SECRET}` });
    const first = await askClaude(true);
    const repeated = await askClaude(false);
    assert.deepEqual([repeated.status, repeated.error['code']], [403, 'response_blocked']);
    assert.equal(repeated.error['event_id'], first.headers.get('x-service-event-id'));
    assert.ok(first.text.includes(String(repeated.error['message'])), repeated.text);
    assert.equal(testProvider.requests.length, 1);
  });

  test('gets a response of its own with another key or body, later, or from other clients', async () => {
    testProvider.answer(text(`The key is ${SECRET}`));
    await askGemini('Hello');
    testProvider.answer(text('Hello to you'));
    const { plain } = await gateway.addKey();
    for (const response of [
      await askGemini('Hello', GEMINI_CLI, gateway, plain),
      await askGemini('Hello there'),
      await askGemini('Hello', 'google-genai-sdk/1.30.0'),
    ])
      assert.match(response.text, /Hello to you/);
    clock.advance(30_000);
    assert.match((await askGemini('Hello')).text, /Hello to you/);
    testProvider.answer({ text: `The key is ${SECRET}` });
    await askClaude(true, 'Anthropic/JS 0.128.0');
    await askClaude(false, 'Anthropic/JS 0.128.0');
    assert.equal(testProvider.requests.length, 7);
  });

  test("is sent again after a provider's error, whatever the error contains", async () => {
    testProvider.answer({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { message: `The key is ${SECRET}` } }),
    });
    for (const _ of [1, 2]) assert.equal((await askGemini('Hi')).error['code'], 'provider_error');
    assert.equal(testProvider.requests.length, 2);
  });
});
