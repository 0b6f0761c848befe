/** Nothing passes uninspected without a report: images, documents, audio, responses that are too large or not text. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { openTls } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, testPolicy } from '../../support/desktop/test-stack.ts';
import { respondWithHello } from '../../support/desktop/tls-provider.ts';

const CHAT = '{"messages":[{"role":"user","content":"hello there"}]}';
const JSON_TYPE = 'content-type: application/json';
// Assembled here, so that no file contains a whole one.
const KEY = ['sk', 'live', '51H8xQ2eZvKYlo2CzT9mNb4Rw7Gd'].join('_');

let nowMs = 0;
const stand = await startTestStack({ now: () => nowMs });
after(() => stand.close());
beforeEach(() => {
  // Each test is in a minute of its own.
  nowMs += 60_000;
  stand.events.length = 0;
  stand.testProvider.requests.length = 0;
  stand.testProvider.answer(respondWithHello);
});

const policy = (failClosed: boolean) => stand.configure({ policy: testPolicy({ failClosed }) });
const reported = () => stand.events.map(({ direction, reason, done }) => [direction, reason, done]);
const post = (body: string | Buffer, type: string, url = 'https://api.openai.com/v1/chat/completions') =>
  curl(stand.proxy.port, stand.device.root.pem, ['-H', type, '--data-binary', '@-', url], body);

const PICTURE = JSON.stringify({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this picture' },
        {
          type: 'image_url',
          image_url: {
            url: `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64')}`,
          },
        },
      ],
    },
  ],
});

for (const [what, body, type] of [
  ['an image', Buffer.alloc(1_000, 0xff), 'content-type: image/png'],
  ['a PDF', Buffer.from('%PDF-1.7\n\0\xff', 'latin1'), 'content-type: application/pdf'],
  ['an image within a prompt', PICTURE, JSON_TYPE],
] as const) {
  test(`${what}: passes and is reported when failing open, is blocked when failing closed`, {
    skip: noCurl,
  }, async () => {
    policy(false);
    assert.equal((await post(body, type)).status, 200);
    assert.equal(stand.testProvider.requests.length, 1);
    assert.deepEqual(reported(), [['input', 'unread', 'forwarded']]);
    policy(true);
    const refused = await post(body, type);
    assert.equal(refused.status, 403);
    assert.match(refused.stdout, /It could not be read/);
    assert.equal(stand.testProvider.requests.length, 1, 'the provider received no request');
    assert.deepEqual(reported()[1], ['input', 'unread', 'blocked']);
  });
}

const LARGE = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: 'a '.repeat(4_500_000) } }],
});

for (const [what, type, answer] of [
  ['a response over 8 MB', 'application/json', LARGE],
  ['an image as the response', 'image/png', Buffer.alloc(1_000, 0xff)],
] as const) {
  test(`${what}: passes whole and is reported when failing open, is held back when failing closed`, {
    skip: noCurl,
  }, async () => {
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(answer);
    });
    policy(false);
    const got = await post(CHAT, JSON_TYPE);
    assert.deepEqual([got.code, got.status], [0, 200], got.stderr);
    if (typeof answer === 'string') assert.equal(got.stdout.length, answer.length);
    assert.deepEqual(reported(), [['output', 'unread', 'forwarded']]);
    policy(true);
    const refused = await post(CHAT, JSON_TYPE);
    assert.equal(refused.status, 403);
    assert.match(refused.stdout, /The response was blocked/);
    assert.deepEqual(reported()[1], ['output', 'unread', 'blocked']);
  });
}

for (const [type, send] of [
  ['text/plain; charset=utf-8', `use ${KEY} there\nand more`],
  ['application/x-ndjson', `{"a":"use"}\n{"a":"${KEY}"}\n`],
] as const) {
  test(`a response as ${type} is evaluated while it passes, and breaks off if it reveals a key`, {
    skip: noCurl,
  }, async () => {
    policy(false);
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(send);
    });
    const got = await post(CHAT, JSON_TYPE);
    assert.notEqual(got.code, 0, 'the client must not take the part it got for the whole');
    assert.doesNotMatch(got.stdout, new RegExp(KEY));
    assert.deepEqual(reported(), [['output', null, 'blocked']]);
  });
}

test('content that a provider encrypted for itself passes, failing closed or not', {
  skip: noCurl,
}, async () => {
  policy(true);
  const body = JSON.stringify({
    max_tokens: 5,
    messages: [
      { role: 'user', content: 'hello there' },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }] },
      { role: 'user', content: 'go on please' },
    ],
  });
  assert.equal((await post(body, JSON_TYPE, 'https://api.anthropic.com/v1/messages')).status, 200);
});

let heard: Buffer[] = [];
const sockets = new WebSocketServer({ noServer: true });
stand.testProvider.onUpgrade((request, socket, head) => {
  sockets.handleUpgrade(request, socket as never, head, (ws) =>
    ws.on('message', (data) => heard.push(data as Buffer)),
  );
});

for (const failClosed of [false, true]) {
  test(`audio on a WebSocket ${failClosed ? 'is blocked' : 'passes and is reported once'}`, {
    skip: noCurl,
  }, async () => {
    policy(failClosed);
    heard = [];
    const tls = await openTls({
      proxyPort: stand.proxy.port,
      ca: stand.device.root.pem,
      host: 'chatgpt.com',
    });
    const client = new WebSocket('wss://chatgpt.com/voice', { createConnection: () => tls });
    await once(client, 'open');
    for (let i = 0; i < 3; i++) client.send(Buffer.alloc(400, i));
    if (failClosed) {
      const [message] = (await once(client, 'message')) as [Buffer];
      assert.match(String(message), /It could not be read/);
    } else {
      client.send('{"text":"the last one"}');
      while (heard.length < 4) await new Promise((resolve) => setImmediate(resolve));
    }
    client.close();
    await once(client, 'close');
    assert.equal(heard.length, failClosed ? 0 : 4);
    assert.deepEqual(reported(), [['input', 'unread', failClosed ? 'blocked' : 'forwarded']]);
  });
}
