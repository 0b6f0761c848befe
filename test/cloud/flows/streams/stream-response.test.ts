import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import OpenAI from 'openai';
import { anthropicClient, openaiClient, PROVIDER_KEY } from '../../../support/clients.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';
import { until } from '../../../support/until.ts';

const LEAKED_KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const QUESTION = [{ role: 'user' as const, content: 'What is the capital of France?' }];

describe('a stream whose response takes long', () => {
  const clock = createManualClock(Date.now());
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url, clock });
    openai = openaiClient(gateway.address, gateway.key);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  /** Makes the provider take this long, then releases it. */
  const takes = async (seconds: number, release: () => void): Promise<void> => {
    await testProvider.nextRequest();
    let waitedMs = 0;
    while (waitedMs < seconds * 1000) {
      const before = clock.waiting;
      await until(
        async () => clock.waiting,
        (count) => count > 0,
      );
      const stepMs = waitedMs === 0 ? 120_000 : 15_000;
      clock.advance(stepMs);
      waitedMs += stepMs;
      await until(
        async () => clock.waiting,
        (count) => count >= before && count > 0,
      );
    }
    release();
  };
  const chat = (headers: Record<string, string> = {}) =>
    gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      headers,
      body: { model: 'm', messages: QUESTION, stream: true },
    });
  const events = async () =>
    (await gateway.storage.events.page(gateway.account.organizationId, { limit: 10 })).events;

  test('the head is sent after 120 s, comments follow every 15 s, and the verdict is the last line', async () => {
    testProvider.answer({ text: 'Paris.' });
    const release = testProvider.hold();
    const waited = takes(400, release);
    const response = await chat();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-service-output'), 'pending');
    assert.equal(response.headers.get('x-service-decision'), 'allow');
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    const text = await response.text();
    await waited;
    assert.equal(text.split(': waiting\n\n').length - 1, Math.ceil((400 - 120) / 15));
    assert.match(text, /data: \[DONE\]\n\n: service \{.*\}\n\n$/);
    const verdict = JSON.parse(text.slice(text.lastIndexOf(': service ') + 10));
    const [last] = await events();
    assert.deepEqual(verdict, { decision: 'allow', event_id: last?.id, threat_type: null, confidence: 0 });
    assert.equal(last?.direction, 'output');
    assert.notEqual(response.headers.get('x-service-event-id'), last?.id);
  });

  test('a response that is ready before that has no comments', async () => {
    const response = await chat();
    assert.equal(response.headers.get('x-service-output'), null);
    assert.ok(!(await response.text()).includes(': '.concat('service')));
    assert.equal(clock.waiting, 0);
  });

  test("the providers' own packages read it to its end", async () => {
    testProvider.answer({ text: 'One two three' });
    let waited = takes(150, testProvider.hold());
    let text = '';
    const chunks = await openai.chat.completions.create({ model: 'm', messages: QUESTION, stream: true });
    for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? '';
    await waited;
    waited = takes(150, testProvider.hold());
    const response = await openai.responses.stream({ model: 'm', input: 'Count' }).finalResponse();
    text += response.output_text;
    await waited;
    waited = takes(150, testProvider.hold());
    const anthropic = anthropicClient(gateway.address, gateway.key);
    text += await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: QUESTION }).finalText();
    await waited;
    assert.equal(text, 'One two three'.repeat(3));
  });

  test('a response that is blocked late ends with the block frames alone', async () => {
    testProvider.answer({ text: `Use ${LEAKED_KEY} to sign in.` });
    const waited = takes(120, testProvider.hold());
    const text = await (await chat()).text();
    await waited;
    assert.match(text, /^data: .*content_blocked.*\n\nevent: error\ndata: .*content_blocked.*\n\n$/);
    assert.ok(!text.includes(LEAKED_KEY) && !text.includes('[DONE]'));
  });

  test('a provider that fails late ends the stream with an error, which the packages throw', async () => {
    await testProvider.fault('reset');
    const release = testProvider.hold();
    const waited = takes(120, release);
    const stream = await openai.chat.completions.create({ model: 'm', messages: QUESTION, stream: true });
    await assert.rejects(
      (async () => {
        for await (const _ of stream);
      })(),
      (error) => error instanceof OpenAI.APIError && /closed the connection/.test(error.message),
    );
    await waited;
  });

  test('a late response that is no stream ends with an error', async () => {
    testProvider.answer({ body: '{"choices":[]}' });
    const waited = takes(120, testProvider.hold());
    const text = await (await chat()).text();
    await waited;
    assert.match(text, /event: error\ndata: .*"code":"provider_error".*\n\n$/);
  });

  test('a client that disconnects ends the call to the provider, and no timer remains', async () => {
    const release = testProvider.hold();
    const waited = takes(120, () => {});
    const leaving = new AbortController();
    const response = await fetch(`${gateway.address}/api/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': gateway.key,
        authorization: `Bearer ${PROVIDER_KEY}`,
      },
      body: JSON.stringify({ model: 'm', messages: QUESTION, stream: true }),
      signal: leaving.signal,
    });
    await waited;
    leaving.abort();
    await assert.rejects(response.text());
    assert.equal(await testProvider.lastRequest().ended, 'aborted');
    await until(
      async () => clock.waiting,
      (count) => count === 0,
    );
    release();
  });

  test('a repeated Idempotency-Key gets the whole stream again; a failed one is sent again', async () => {
    testProvider.answer({ text: 'Paris.' });
    const headers = { 'idempotency-key': 'long-one' };
    let waited = takes(120, testProvider.hold());
    const first = await (await chat(headers)).text();
    await waited;
    const again = await chat(headers);
    assert.equal(again.headers.get('x-idempotency-replayed'), 'true');
    assert.equal(again.headers.get('x-service-output'), 'pending');
    assert.equal(await again.text(), first);
    await testProvider.fault('reset');
    const failing = { 'idempotency-key': 'failing' };
    waited = takes(120, testProvider.hold());
    await (await chat(failing)).text();
    await waited;
    await testProvider.reset();
    assert.match(await (await chat(failing)).text(), /\[DONE\]/);
  });
});
