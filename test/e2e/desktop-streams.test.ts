/**
 * Streams through a real agent that is enrolled at a real service, as the providers' own packages receive them: the
 * project's settings for streams and masks reach the device in its signed configuration.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import {
  type AgentCommands,
  agentCommands,
  type RunningAgentProcess,
} from '../support/desktop/agent-process.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { startTlsProvider, type TlsProvider } from '../support/desktop/tls-provider.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { untilTrue } from '../support/until.ts';

const ANNA = 'anna.svensson@example.com';
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const MASK = /\[(EMAIL|API_KEY)_[0-9A-HJKMNP-TV-Z]{8}\]/;

let gateway: TestGateway;
let testProvider: TlsProvider;
let agent: AgentCommands;
let running: RunningAgentProcess;
let adminKey: string;
let dispatcher: ProxyAgent;
const parts = new AsyncDisposableStack();

before(async () => {
  gateway = await startGateway();
  parts.defer(() => gateway.close());
  const authority = await newAuthority(['localhost']);
  testProvider = await startTlsProvider(authority);
  parts.defer(() => testProvider.close());
  const folder = tempFolder('desktop-streams');
  const ca = path.join(folder, 'provider-ca.pem');
  writeFileSync(ca, authority.root.pem);
  adminKey = (await gateway.addKey({ projectId: null })).plain;
  await setting({ streaming: 'live', masking: 'round_trip', secret_tools: { deploy: ['api_key'] } });
  agent = agentCommands(folder, { AGENT_EXTRA_HOSTS: 'localhost', AGENT_UPSTREAM_CA: ca });
  const { organizationId, projectId } = gateway.account;
  const { token } = await gateway.storage.enrollments.create(organizationId, { projectId, label: null });
  const enrolled = await agent.run('enroll', '--server', gateway.address, '--token', token);
  assert.equal(enrolled.code, 0, enrolled.stderr);
  running = await agent.start();
  parts.defer(() => running.end('SIGTERM'));
  let port: number | null = null;
  await untilTrue(
    async () => {
      const status = await agent.status();
      port = status.supervisor_state === 'quiet' ? status.proxy_port : null;
      return port !== null;
    },
    () => 'the agent has no proxy',
  );
  const root = readFileSync(path.join(agent.stateDir, 'root.pem'), 'utf8');
  dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, requestTls: { ca: root } });
  parts.defer(() => dispatcher.close());
});
after(() => parts.disposeAsync());

async function setting(body: object): Promise<void> {
  const { projectId } = gateway.account;
  const answer = await gateway.call('PATCH', `/api/v1/projects/${projectId}`, { key: adminKey, body });
  assert.equal(answer.status, 200, await answer.text());
}

const throughDevice = () => ({
  apiKey: 'sk-test',
  maxRetries: 0,
  fetch: undiciFetch as unknown as typeof fetch,
  fetchOptions: { dispatcher } as never,
});
const openai = () => new OpenAI({ ...throughDevice(), baseURL: `https://localhost:${testProvider.port}/v1` });
const anthropic = () =>
  new Anthropic({ ...throughDevice(), baseURL: `https://localhost:${testProvider.port}` });

const data = (value: object, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
const block = (text: string) =>
  data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta');
const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
const BEGIN =
  data({ type: 'message_start', message: MESSAGE }, 'message_start') +
  data(
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    'content_block_start',
  );
const END =
  data({ type: 'content_block_stop', index: 0 }, 'content_block_stop') +
  data({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} }, 'message_delta') +
  data({ type: 'message_stop' }, 'message_stop');

const begin = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' });
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
const ask = (content: string) => ({ model: 'm', messages: [{ role: 'user' as const, content }] });

async function chatText(content: string): Promise<{ text: string; calls: string; error: Error | null }> {
  let [text, calls] = ['', ''];
  try {
    for await (const { choices } of await openai().chat.completions.create({
      ...ask(content),
      stream: true,
    })) {
      text += choices[0]?.delta.content ?? '';
      calls += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
    }
    return { text, calls, error: null };
  } catch (error) {
    return { text, calls, error: error as Error };
  }
}

async function messageText(content: string): Promise<{ text: string; error: Error | null }> {
  let text = '';
  try {
    for await (const event of await anthropic().messages.create({
      ...ask(content),
      max_tokens: 99,
      stream: true,
    }))
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    return { text, error: null };
  } catch (error) {
    return { text, error: error as Error };
  }
}

test('the first words arrive before the provider has sent the rest', async () => {
  const others = Promise.withResolvers<void>();
  testProvider.answer(async (response) => {
    begin(response);
    response.write(chunk({ role: 'assistant', content: '' }));
    for (const word of ['The ', 'capital ', 'of ', 'France ']) response.write(chunk({ content: word }));
    await others.promise;
    response.end(`${chunk({ content: 'is Paris.' }) + chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  let text = '';
  for await (const { choices } of await openai().chat.completions.create({
    ...ask('What is the capital?'),
    stream: true,
  })) {
    text += choices[0]?.delta.content ?? '';
    if (text.includes('capital')) others.resolve();
  }
  assert.equal(text, 'The capital of France is Paris.');
});

test('no byte of a key is sent, wherever it is split; both packages throw the reason', async () => {
  const words = 'Plain words and then ';
  for (const size of [1, 3, 8]) {
    testProvider.answer((response) => {
      begin(response);
      for (const piece of pieces(`${words}${KEY} and so on.`, size))
        response.write(chunk({ content: piece }));
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    const chat = await chatText('Tell me.');
    assert.ok(words.startsWith(chat.text) && chat.text.length > 5, chat.text);
    assert.match(
      String(chat.error?.message),
      /was blocked, because it contains a password, key or other secret/,
    );
    testProvider.answer((response) => {
      begin(response);
      const body = pieces(`${words}${KEY} and so on.`, size).map(block);
      response.end([BEGIN, ...body, END].join(''));
    });
    const message = await messageText('Tell me.');
    assert.ok(words.startsWith(message.text) && message.text.length > 5, message.text);
    assert.match(String(message.error?.message), /was blocked/);
  }
});

test('masked values are restored in texts and arguments, secrets only in the named tool', async () => {
  for (const size of [1, 4, 50]) {
    testProvider.answer((response, { body }) => {
      const mask = MASK.exec(body.toString())?.[0] ?? '';
      begin(response);
      for (const piece of pieces(`I wrote to ${mask} and not to [EMAIL_7K3M9QWX] today.`, size))
        response.write(chunk({ content: piece }));
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    const { text, error } = await chatText(`Write to ${ANNA}.`);
    assert.equal(error, null);
    assert.equal(text, `I wrote to ${ANNA} and not to [EMAIL_7K3M9QWX] today.`);
    assert.ok(!testProvider.requests.at(-1)?.body.toString().includes(ANNA));
    testProvider.answer((response, { body }) => {
      const mask = MASK.exec(body.toString())?.[0] ?? '';
      begin(response);
      response.end([BEGIN, ...pieces(`To ${mask} it went. `, size).map(block), END].join(''));
    });
    assert.deepEqual(await messageText(`Write to ${ANNA}.`), { text: `To ${ANNA} it went. `, error: null });
    for (const name of ['deploy', 'post']) {
      testProvider.answer((response, { body }) => {
        const mask = MASK.exec(body.toString())?.[0] ?? '';
        const call = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] });
        begin(response);
        response.write(call({ id: 't', type: 'function', function: { name, arguments: '' } }));
        for (const piece of pieces(JSON.stringify({ key: mask }), size))
          response.write(call({ function: { arguments: piece } }));
        response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
      });
      const { calls } = await chatText(`Deploy with the key ${KEY} now.`);
      assert.ok(!testProvider.requests.at(-1)?.body.toString().includes(KEY));
      if (name === 'deploy') assert.deepEqual(JSON.parse(calls), { key: KEY });
      else assert.match(JSON.parse(calls).key, MASK);
    }
  }
});

test('without a streaming setting the response is buffered until the whole is evaluated', async () => {
  const before = (await agent.status()).policy_version;
  await setting({ streaming: null });
  await untilTrue(
    async () => (await agent.status()).policy_version !== before,
    () => 'the device did not learn of the setting',
  );
  testProvider.answer((response) => {
    begin(response);
    for (const word of [...'Plain words and then '.split(/(?<= )/), KEY])
      response.write(chunk({ content: word }));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  const { text, error } = await chatText('Tell me.');
  assert.equal(text, '');
  assert.match(String(error?.message), /was blocked/);
});
