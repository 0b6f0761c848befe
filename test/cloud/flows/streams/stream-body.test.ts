import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { signInAs } from '../../../support/browser.ts';
import { anthropicClient, openaiClient, PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { type PacedReply, startPacedProvider } from '../../../support/provider/paced-provider.ts';
import { until } from '../../../support/until.ts';

const LEAKED_KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const PROSE = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all. ';
const QUESTION = [{ role: 'user' as const, content: 'Tell me a story about a fox.' }];
const frame = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const shownIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta?.content ?? '')
    .join('');
const DONE = 'data: [DONE]\n\n';

const INSTRUCTIONS = `You are Otto, the assistant of the Harbour Savings Bank. Always answer in a friendly tone and never mention our competitors.
Never promise an interest rate, and do not discuss internal policies. If a customer asks about fees, look them up in the price list and quote the date.
Always ask for the customer number before you look anything up. Refuse to change an address by chat, and send the customer to a branch.
Do not give advice on taxes. End every answer with the sentence that our branches are open from nine to four.`;

describe('a live stream', () => {
  let testProvider: PacedReply;
  let gateway: TestGateway;
  before(async () => {
    testProvider = await startPacedProvider();
    gateway = await startGateway({
      providerUrl: testProvider.url,
      env: { WEBHOOK_ALLOW_PRIVATE: 'on', ANSWER_LIMIT_BYTES: '12000000' },
    });
    await setting({ streaming: 'live' });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const setting = async (body: object) => {
    const answer = await gateway.call('PATCH', `/api/v1/projects/${gateway.account.projectId}`, {
      key: (await gateway.addKey({ projectId: null })).plain,
      body,
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  const chat = (headers: Record<string, string> = {}, messages: object[] = QUESTION) =>
    gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      headers,
      body: { model: 'm', messages, stream: true },
    });
  const lastEvent = async () =>
    (await gateway.storage.events.page(gateway.account.organizationId, { limit: 1 })).events[0];
  /** Reads until the text contains this. */
  const readUntil = async (
    reader: ReadableStreamDefaultReader<Uint8Array>,
    end: string | null,
    text = '',
  ): Promise<string> => {
    let all = text;
    while (end === null || !all.includes(end)) {
      const { done, value } = await reader.read();
      if (done) break;
      all += Buffer.from(value).toString();
    }
    return all;
  };

  test('evaluated text is sent while the provider still writes; the verdict is the last comment', async () => {
    const response = await chat();
    assert.equal(response.headers.get('x-service-output'), 'live');
    const reader = response.body!.getReader();
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    const before = await readUntil(reader, PROSE);
    assert.ok(!before.includes('[DONE]'));
    testProvider.end(DONE);
    const text = await readUntil(reader, null, before);
    assert.equal(shownIn(text), PROSE.repeat(10));
    const event = await lastEvent();
    const verdict = { decision: 'allow', event_id: event?.id, threat_type: null, confidence: 0 };
    assert.ok(text.endsWith(`${DONE}: service ${JSON.stringify(verdict)}\n\n`), text.slice(-300));
  });

  test('the first words are sent before the rest of their frame, which is cut once', async () => {
    const response = await chat();
    const reader = response.body!.getReader();
    testProvider.write(frame('Sure, here is the fo'));
    const before = await readUntil(reader, 'Sure, here is the');
    assert.equal(shownIn(before), 'Sure, here is the');
    testProvider.write(frame('x and the dog.'));
    testProvider.end(DONE);
    const text = await readUntil(reader, null, before);
    assert.equal(shownIn(text), 'Sure, here is the fox and the dog.');
    assert.equal(text.split('chat.completion.chunk').length - 1, 3);
  });

  test('nothing of a blocked passage is sent, and the block frame ends the stream', async () => {
    const response = await chat();
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    for (const letter of `Sign in with ${LEAKED_KEY} today. `) testProvider.write(frame(letter));
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    testProvider.end(DONE);
    const text = await response.text();
    assert.ok(text.includes(PROSE));
    const shown = shownIn(text);
    assert.ok(!shown.includes('AKIA') && shown.startsWith(PROSE), shown);
    assert.match(text, /event: error\ndata: .*content_blocked.*\n\n$/);
    assert.ok(!text.includes('[DONE]') && !text.includes(': service'));
    const event = await lastEvent();
    assert.deepEqual([event?.decision, event?.threatType], ['block', 'secret_leak']);
  });

  test('repeated system instructions are cut off before two thirds of them are sent', async () => {
    const response = await chat({}, [{ role: 'system', content: INSTRUCTIONS }, ...QUESTION]);
    for (let at = 0; at < INSTRUCTIONS.length; at += 9)
      testProvider.write(frame(INSTRUCTIONS.slice(at, at + 9)));
    testProvider.end(DONE);
    const text = await response.text();
    const left = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    assert.ok(left.length < (INSTRUCTIONS.length * 2) / 3, `${left.length} of ${INSTRUCTIONS.length}`);
    assert.match(text, /content_blocked/);
    assert.equal((await lastEvent())?.threatType, 'system_prompt_leak');
  });

  test('a tool call is sent whole, with its name, once all of it was evaluated', async () => {
    const call = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
    const response = await chat();
    const reader = response.body!.getReader();
    testProvider.write(call({ role: 'assistant', content: '' }));
    testProvider.write(
      call({
        tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: '' } }],
      }),
    );
    const before = await readUntil(reader, '"role"');
    testProvider.write(call({ tool_calls: [{ index: 0, function: { arguments: '{"q":"fox"}' } }] }));
    assert.ok(!before.includes('find'));
    testProvider.end(DONE);
    assert.ok((await readUntil(reader, null, before)).includes('find'));
  });

  test('trailers carry the verdict if the client accepts them', async () => {
    const body = JSON.stringify({ model: 'm', messages: QUESTION, stream: true });
    const sent = httpRequest(`${gateway.address}/api/v1/chat/completions`, {
      method: 'POST',
      headers: {
        te: 'trailers',
        'x-api-key': gateway.key,
        authorization: `Bearer ${PROVIDER_KEY}`,
        'content-type': 'application/json',
      },
    });
    sent.end(body);
    testProvider.end(frame('Once upon a time.') + DONE);
    const trailers = await new Promise<NodeJS.Dict<string>>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => response.resume().on('end', () => resolve(response.trailers)));
    });
    assert.equal(trailers['x-service-decision'], 'allow');
    assert.equal(trailers['x-service-event-id'], (await lastEvent())?.id);
    assert.deepEqual([trailers['x-service-confidence'], trailers['x-service-threat-type']], ['0.0', 'none']);
  });

  test('a client that disconnects leaves a record of what it was sent', async () => {
    const before = await lastEvent();
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
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    await readUntil(response.body!.getReader(), PROSE);
    leaving.abort();
    await testProvider.aborted;
    const event = await until(lastEvent, (one) => one?.direction === 'output' && one.id !== before?.id);
    assert.equal(event?.decision, 'allow');
  });

  test('a provider that breaks off ends the stream with an error; what was sent is recorded', async () => {
    const response = await chat();
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    const reader = response.body!.getReader();
    const before = await readUntil(reader, PROSE);
    testProvider.breakOff();
    const text = await readUntil(reader, null, before);
    assert.match(text, /event: error\ndata: .*"code":"provider_error".*\n\n$/);
    await until(lastEvent, (event) => event?.direction === 'output');
  });

  test('an event of 10 MB is blocked; the text before it is sent, and nothing of the event', async () => {
    const response = await chat();
    for (let at = 0; at < 10; at++) testProvider.write(frame(PROSE));
    testProvider.end(frame(`${'word '.repeat(2_000_000)}`) + DONE);
    const text = await response.text();
    assert.ok(shownIn(text).length > 0 && PROSE.repeat(10).startsWith(shownIn(text)), text.slice(-300));
    assert.match(text, /event: error\ndata: .*content_blocked.*\n\n$/);
    assert.equal((await lastEvent())?.threatType, 'hidden_content');
  });

  test('a stream that never ends is ended at the limit; what was sent is recorded', async () => {
    const before = await lastEvent();
    const response = await chat();
    for (let at = 0; at < 260; at++) testProvider.write(frame(PROSE.repeat(625)));
    const text = await response.text();
    assert.ok(shownIn(text).length > 5_000_000, `${text.length}`);
    assert.match(text, /event: error\ndata: .*"code":"provider_error".*\n\n$/);
    assert.ok(text.length < 12_100_000, `${text.length}`);
    await until(lastEvent, (event) => event?.direction === 'output' && event.id !== before?.id);
  });

  test('a client that hardly reads does not delay other clients, and receives everything', async () => {
    const { key, address } = gateway;
    const headers = {
      'content-type': 'application/json',
      'x-api-key': key,
      authorization: `Bearer ${PROVIDER_KEY}`,
    };
    const slow = httpRequest(`${address}/api/v1/chat/completions`, { method: 'POST', headers });
    slow.end(JSON.stringify({ model: 'm', messages: QUESTION, stream: true }));
    for (let at = 0; at < 80; at++) testProvider.write(frame(PROSE.repeat(500)));
    testProvider.end(DONE);
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for (let byte = 0; byte < 10; byte++) {
      await until(
        async () => response.readableLength,
        (length) => length > 0,
      );
      chunks.push(response.read(1) as Buffer);
      assert.equal((await gateway.call('GET', '/api/v1/projects')).status, 200);
    }
    for await (const chunk of response) chunks.push(chunk as Buffer);
    assert.equal(shownIn(Buffer.concat(chunks).toString()), PROSE.repeat(40_000));
  });

  test("the providers' own packages read every kind of stream", async () => {
    testProvider.end(frame('One two three') + DONE);
    let text = '';
    const openai = openaiClient(gateway.address, gateway.key);
    for await (const chunk of await openai.chat.completions.create({
      model: 'm',
      messages: QUESTION,
      stream: true,
    }))
      text += chunk.choices[0]?.delta.content ?? '';
    assert.equal(text, 'One two three');
    const event = (type: string, more: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    testProvider.reset();
    testProvider.end(
      event('message_start', {
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          model: 'c',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) +
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
        event('content_block_delta', {
          index: 0,
          delta: { type: 'text_delta', text: `Use ${LEAKED_KEY} now.` },
        }) +
        event('content_block_stop', { index: 0 }) +
        event('message_stop', {}),
    );
    const anthropic = anthropicClient(gateway.address, gateway.key);
    await assert.rejects(
      anthropic.messages.stream({ model: 'c', max_tokens: 9, messages: QUESTION }).finalText(),
      /blocked by the content security policy/,
    );
  });

  test('a client of the Responses API sees consistent events up to the block frame', async () => {
    const head = (type: string) => ({ type: `response.${type}`, response: { id: 'resp_own', output: [] } });
    const item = { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const place = { item_id: 'm', output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [] };
    const text = `${PROSE.repeat(3)}Sign in with ${LEAKED_KEY} today. ${PROSE}`;
    const events = [
      ...['created', 'in_progress'].map(head),
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...place, part },
      ...text.split(/(?<= )/).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    ];
    const stream = events
      .map(
        (event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`,
      )
      .join('');
    const openai = openaiClient(gateway.address, gateway.key);
    testProvider.end(stream);
    const seen: { type: string; sequence_number: number; response?: { id: string } }[] = [];
    const request = { model: 'm', input: 'Tell me a story about a fox.' };
    await assert.rejects(async () => {
      for await (const event of await openai.responses.create({ ...request, stream: true })) seen.push(event);
    }, /blocked by the content security policy/);
    assert.deepEqual(
      seen.map((event) => event.sequence_number),
      seen.map((_, at) => at),
    );
    assert.ok(seen.length > 30, `${seen.length}`);
    assert.deepEqual([seen.at(-1)?.type, seen.at(-1)?.response?.id], ['response.failed', 'resp_own']);
    testProvider.reset();
    testProvider.end(stream);
    await assert.rejects(
      () => openai.responses.stream(request).finalResponse(),
      (error: Error) => !error.message.includes('identity'),
    );
  });

  test('a project with a policy webhook is buffered, and the header says so', async () => {
    const admin = await signInAs(gateway, 'admin');
    const saved = await admin.call('PATCH', `/projects/${gateway.account.projectId}/policy-webhook`, {
      url: 'http://127.0.0.1:9/policy',
      enabled: true,
    });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    testProvider.end(frame('Once upon a time.') + DONE);
    const response = await chat();
    assert.equal(response.headers.get('x-service-output'), 'buffered');
    assert.ok(!(await response.text()).includes(': service'));
  });
});
