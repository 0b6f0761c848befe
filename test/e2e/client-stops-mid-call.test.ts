/**
 * A coding agent is stopped while the model writes a tool call, and its session continues with what it had: through the
 * gateway, and through a device with the service away.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { PROVIDER_KEY } from '../support/clients.ts';
import { openTls } from '../support/desktop/clients.ts';
import { startTestStack, type TestStack, testPolicy } from '../support/desktop/test-stack.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const TOOL = { name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } };
const PROSE =
  'I look at the log of the last week, and at who wrote which of its commits, one after the other. ';
const frame = (value: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const delta = (index: number, one: object): string =>
  frame({ type: 'content_block_delta', index, delta: one });
/** The answer up to the middle of the call's arguments. */
const CUT = [
  frame({ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [] } }),
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: 10 }, () => delta(0, { type: 'text_delta', text: PROSE })),
  frame({ type: 'content_block_stop', index: 0 }),
  frame({
    ...{ type: 'content_block_start', index: 1 },
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} },
  }),
  delta(1, { type: 'input_json_delta', partial_json: '{"command":"git lo' }),
];

const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
const DONE = JSON.stringify({
  ...{ id: 'msg_2', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Done.' }],
});
const ask = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({ model: 'm', max_tokens: 9, tools: [TOOL], messages, ...more });
const ASKED = { role: 'user', content: 'Who wrote the parser?' };
const GO_ON = { role: 'user', content: 'Go on' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
const INTERRUPTED = {
  ...{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true },
  content: '[Request interrupted by user for tool use]',
};
/** What clients send of a call that was cut: nothing, the call alone, with a result of their own, with half arguments. */
const HISTORIES: readonly (readonly object[])[] = [
  [{ role: 'assistant', content: [{ type: 'text', text: PROSE.trim() }] }],
  [{ role: 'assistant', content: [CALL] }],
  [
    { role: 'assistant', content: [CALL] },
    { role: 'user', content: [INTERRUPTED] },
  ],
  [{ role: 'assistant', content: [{ ...CALL, input: '{"command":"git lo' }] }],
];

/** A way to the provider, which answers as told. */
interface Way {
  open(): Promise<void>;
  set(streaming: 'live' | 'buffered'): Promise<void>;
  answer(handle: (response: ServerResponse) => void): void;
  lastSent(): string | undefined;
  send(body: string, signal?: AbortSignal): Promise<{ readonly status: number; text(): Promise<string> }>;
  close(): Promise<void>;
}

function throughGateway(): Way {
  let gateway: TestGateway;
  let adminKey: string;
  let handle: (response: ServerResponse) => void;
  let sent: string | undefined;
  const provider = createServer(async (received, response) => {
    sent = await text(received);
    handle(response);
  });
  return {
    async open() {
      await once(provider.listen(0, '127.0.0.1'), 'listening');
      const { port } = provider.address() as AddressInfo;
      gateway = await startGateway({ providerUrl: `http://127.0.0.1:${port}` });
      adminKey = (await gateway.addKey({ projectId: null })).plain;
    },
    async set(streaming) {
      const path = `/api/v1/projects/${gateway.account.projectId}`;
      const { status } = await gateway.call('PATCH', path, { key: adminKey, body: { streaming } });
      assert.equal(status, 200);
    },
    answer(next) {
      handle = next;
    },
    lastSent: () => sent,
    send: (body, signal) =>
      fetch(`${gateway.address}/api/v1/messages`, {
        ...{ method: 'POST', body, ...(signal !== undefined && { signal }) },
        headers: { ...HEADERS, 'x-api-key': gateway.key, authorization: `Bearer ${PROVIDER_KEY}` },
      }),
    async close() {
      await gateway.close();
      provider.closeAllConnections();
      provider.close();
    },
  };
}

function throughDevice(): Way {
  let stack: TestStack;
  return {
    async open() {
      stack = await startTestStack();
    },
    async set(streaming) {
      stack.configure({ policy: testPolicy({ streaming }) });
    },
    answer: (next) => stack.testProvider.answer(next),
    lastSent: () => stack.testProvider.requests.at(-1)?.body.toString(),
    async send(body, signal) {
      const host = 'api.anthropic.com';
      const socket = await openTls({ proxyPort: stack.proxy.port, ca: stack.device.root.pem, host });
      const call = request({
        ...{ createConnection: () => socket, method: 'POST', path: '/v1/messages' },
        ...{ headers: { ...HEADERS, host, connection: 'close' }, ...(signal !== undefined && { signal }) },
      }).end(body);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      return { status: response.statusCode ?? 0, text: () => text(response) };
    },
    async close() {
      await stack.close();
    },
  };
}

for (const [name, way] of Object.entries({ gateway: throughGateway(), device: throughDevice() }))
  describe(`a client that stops in the middle of a tool call, through a ${name}`, () => {
    before(() => way.open());
    after(() => way.close());

    for (const streaming of ['live', 'buffered'] as const)
      test(`the provider's request ends too, and the session goes on as the client has it (${streaming})`, async () => {
        await way.set(streaming);
        const { promise: closed, resolve: close } = Promise.withResolvers<void>();
        const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
        way.answer((response) => {
          response.on('close', () => close());
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const piece of CUT) response.write(piece);
          wrote();
        });
        const leaving = new AbortController();
        const answered = way.send(ask([ASKED], { stream: true }), leaving.signal);
        const left = assert.rejects(answered.then((response) => response.text()));
        await written;
        leaving.abort();
        await left;
        await closed;

        way.answer((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(DONE));
        for (const history of HISTORIES) {
          const body = ask([ASKED, ...history, GO_ON]);
          const answer = await way.send(body);
          assert.equal(answer.status, 200, await answer.text());
          assert.equal(way.lastSent(), body);
        }
      });
  });
