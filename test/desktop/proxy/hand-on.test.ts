import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';

/** A host that is not inspected: reads requests as bytes, and answers in bytes. */
const host = createServer({ allowHalfOpen: true });
let stack: TestStack;
let authority: string;
before(async () => {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  authority = `127.0.0.1:${(host.address() as AddressInfo).port}`;
  const policy = testPolicy({ hosts: ['api.openai.com'] });
  stack = await startTestStack({ config: { upstreamProxy: null, policy } });
});
after(async () => {
  await stack.close();
  host.close();
});

/** Sends bytes through the proxy; `answer` is what the host replies once it has `enough`. Returns both sides' bytes. */
async function exchange(
  sent: string,
  answer: string,
  enough: RegExp = /\r\n\r\n$/,
): Promise<[string, string]> {
  let received = '';
  host.removeAllListeners('connection').on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    let hasAnswered = false;
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (hasAnswered || !enough.test(received)) return;
      hasAnswered = true;
      socket.end(answer, 'latin1');
    });
  });
  const client = connect(stack.proxy.port, '127.0.0.1');
  client.write(sent.replaceAll('HOST', authority), 'latin1');
  let shown = '';
  client.on('data', (bytes) => {
    shown += bytes.toString('latin1');
  });
  await once(client, 'close');
  return [received, shown];
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
const request = (method: string, headers: string, body = '') =>
  `${method} http://HOST/a//b?x=1&&y=%20? HTTP/1.1\r\n${headers}Connection: close\r\n\r\n${body}`;
const ODD =
  'hOst: HOST\r\nX-Two: b\r\naccept: */*\r\nX-Two: a\r\nCookie: a=1\r\n__proto__: p\r\nX-Umlaut: \xe4\r\n';

const CASES: readonly (readonly [
  what: string,
  method: string,
  headers: string,
  body?: string,
  enough?: RegExp,
])[] = [
  ['a request without a body', 'GET', ODD],
  ['HEAD', 'HEAD', ODD],
  ['DELETE without a length', 'DELETE', ODD],
  ['OPTIONS without a length', 'OPTIONS', ODD],
  ['a body with a length', 'POST', `${ODD}Content-Length: 5\r\n`, 'a\0\xffbc', /bc$/],
  ['DELETE with a body', 'DELETE', `${ODD}content-LENGTH: 3\r\n`, 'abc', /abc$/],
  [
    'a body in chunks',
    'POST',
    `${ODD}Transfer-Encoding: chunked\r\n`,
    '3\r\nabc\r\n0\r\n\r\n',
    /\r\n0\r\n\r\n$/,
  ],
  [
    'DELETE in chunks',
    'DELETE',
    `${ODD}transfer-encoding: chunked\r\n`,
    '3\r\nabc\r\n0\r\n\r\n',
    /\r\n0\r\n\r\n$/,
  ],
  [
    'trailers',
    'PUT',
    `${ODD}Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n`,
    '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n',
    /X-Sum: 9\r\n\r\n$/,
  ],
];

for (const [what, method, headers, body, enough] of CASES)
  test(`${what}: the host receives the bytes that the client sent`, async () => {
    const answer = method === 'HEAD' ? OK.slice(0, -2) : OK;
    const [received, shown] = await exchange(request(method, headers, body), answer, enough);
    const due = request(method, headers, body)
      .replace('http://HOST', '')
      .replace('Connection: close', 'Connection: keep-alive')
      .replaceAll('HOST', authority)
      // Values of one name leave together.
      .replace('X-Two: b\r\naccept: */*\r\nX-Two: a\r\n', 'X-Two: b\r\nX-Two: a\r\naccept: */*\r\n');
    assert.equal(received, due);
    assert.ok(shown.startsWith('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'), shown);
  });

test('headers of this hop are not sent, and a client that waits for 100 is told to go on', async () => {
  const headers =
    'Host: HOST\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eDp5\r\nExpect: 100-continue\r\nContent-Length: 2\r\n';
  const [received, shown] = await exchange(request('POST', headers, 'ab'), OK, /ab$/);
  assert.doesNotMatch(received, /proxy-|expect/i);
  assert.match(shown, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});

test('the client receives the head as the host sent it, the body in pieces and its trailers', async () => {
  const head = 'X-B: 1\r\nSet-Cookie: a\r\nset-cookie: b\r\nX-b: 2\r\nTrailer: X-Sum\r\n';
  const chunks = '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n';
  const answer = `HTTP/1.1 299 Quite Fine\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
  const [, shown] = await exchange(request('GET', 'Host: HOST\r\n'), answer);
  assert.ok(shown.startsWith(`HTTP/1.1 299 Quite Fine\r\n${head}`), shown);
  assert.ok(shown.endsWith(`\r\n\r\n${chunks}`), shown);
});

test('announced trailers without chunks are dropped, and the exchange goes on', async () => {
  const announced = 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
  const [received, shown] = await exchange(
    request('POST', 'Host: HOST\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n', 'ab'),
    announced,
    /ab$/,
  );
  assert.doesNotMatch(received, /trailer/i);
  assert.match(shown, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
  const chunks = '2\r\nok\r\n0\r\nX-Sum: 9\r\n\r\n';
  const [, old] = await exchange(
    'GET http://HOST/ HTTP/1.0\r\nHost: HOST\r\n\r\n',
    `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  );
  assert.match(old, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
  const [, head] = await exchange(request('HEAD', 'Host: HOST\r\n'), announced.slice(0, -2));
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
});

test('a response that breaks off does not look complete, and a host that is not there is a 502', async () => {
  const [, cut] = await exchange(
    request('GET', 'Host: HOST\r\n'),
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
  );
  assert.ok(cut.includes('3\r\nabc\r\n') && !cut.includes('0\r\n\r\n'), cut);
  const [, gone] = await exchange(
    'GET http://127.0.0.1:9/ HTTP/1.1\r\nHost: 127.0.0.1:9\r\nConnection: close\r\n\r\n',
    '',
  );
  assert.match(gone, /^HTTP\/1\.1 502 [\s\S]*127\.0\.0\.1 could not be reached \(ECONNREFUSED\)/);
});

test('what the client asks of an inspected host is still read', async () => {
  const body = '{"model":"m","messages":[{"role":"user","content":"write to kim@example.com"}]}';
  const head = `Host: api.openai.com\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`;
  stack.configure({ upstreamProxy: stack.company.url });
  const [, shown] = await exchange(
    `POST http://api.openai.com/v1/chat/completions HTTP/1.1\r\n${head}\r\n${body}`,
    OK,
  );
  assert.ok(stack.events.length > 0, shown);
});

test('a WebSocket passes with its own key, extensions, subprotocol and close code', async (t) => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: true,
    handleProtocols: () => 'second',
  });
  const { createServer: createHttp } = await import('node:http');
  const http = createHttp();
  const heads: string[][] = [];
  http.on('upgrade', (upgrade, socket, head) => {
    heads.push(upgrade.rawHeaders);
    if (upgrade.url === '/refused')
      return void socket.end('HTTP/1.1 401 Unauthorized\r\nX-Why: no key\r\nContent-Length: 4\r\n\r\nnope');
    server.handleUpgrade(upgrade, socket, head, (ws) =>
      ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary })),
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const target = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const open = (path: string) =>
    new WebSocket(target + path, ['first', 'second'], {
      headers: { 'X-Odd-Case': 'a' },
      createConnection: () => {
        const socket = connect(stack.proxy.port, '127.0.0.1');
        const { write } = socket;
        // As clients of a proxy ask for ws addresses: in absolute form.
        socket.write = ((bytes: string, ...rest: []) =>
          write.call(
            socket,
            typeof bytes === 'string' ? bytes.replace(/^GET \//, `GET ${target}/`) : bytes,
            ...rest,
          )) as typeof socket.write;
        return socket;
      },
    });
  const ws = open('/live');
  await once(ws, 'open');
  assert.equal(ws.protocol, 'second');
  assert.match(ws.extensions, /permessage-deflate/);
  assert.ok(heads[0]!.includes('X-Odd-Case'));
  for (const sent of ['grüße', Buffer.alloc(70_000, 7)]) {
    ws.send(sent);
    const [data] = await once(ws, 'message');
    assert.ok((data as Buffer).equals(Buffer.from(sent)));
  }
  const [peer] = server.clients;
  const closed = once(peer!, 'close');
  ws.close(4001, 'done');
  assert.equal((await closed)[0], 4001);
  const refused = open('/refused');
  const [, answer] = await once(refused, 'unexpected-response');
  assert.deepEqual([answer.statusCode, answer.headers['x-why']], [401, 'no key']);
  refused.on('error', () => {}).terminate();
});
