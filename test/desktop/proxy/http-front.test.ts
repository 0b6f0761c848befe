import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import type { ClientEnd } from '../../../apps/desktop/src/exchange/client-end.ts';
import { createHttpFront } from '../../../apps/desktop/src/proxy/http-front.ts';

const TARGET = { host: 'api.openai.com', port: 443, isTls: true };
const SEND_TIMEOUT_MS = 200;
const HEAD = { status: 200, statusMessage: '', rawHeaders: [], headers: {} };

interface Exchange {
  readonly client: ClientEnd;
  isGone: boolean;
}

test('an HTTP/2 client that accepts nothing is gone after the timeout; one that waits for more stays', async (t) => {
  const exchanges: Exchange[] = [];
  let changed = Promise.withResolvers<void>();
  const signal = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const front = createHttpFront(
    {
      exchange(_target, client) {
        const exchange: Exchange = { client, isGone: false };
        client.listen({
          bytes() {},
          end() {},
          drain() {},
          gone() {
            exchange.isGone = true;
            signal();
          },
        });
        client.respond(HEAD, [], true);
        exchanges.push(exchange);
        signal();
      },
      upgrade() {},
      connect() {},
    },
    SEND_TIMEOUT_MS,
  );
  const server = createServer((socket) => front.accept(TARGET, socket, 'h2')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await front.close(0);
  });
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const session = connectHttp2('http://api.openai.com', { createConnection: () => socket });
    session.on('error', () => {});
    t.after(() => session.destroy());
    const stream = session.request({ ':path': '/v1/x' });
    stream.on('error', () => {});
    await once(stream, 'response');
    return stream;
  };

  const patient = await open();
  // It never reads, so its window is soon full.
  await open();
  const [first, second] = exchanges;
  assert.ok(first !== undefined && second !== undefined);
  const chunk = Buffer.alloc(65_536);
  for (let i = 0; i < 64 && second.client.write(chunk); i++);
  while (!second.isGone) await changed.promise;

  // It has been idle for longer, but nothing waits for it.
  assert.equal(first.isGone, false);
  const received = once(patient, 'data');
  first.client.write(Buffer.from('more'));
  assert.equal(String((await received)[0]), 'more');
});

test('a CONNECT over HTTP/2 is refused, and ends no process when its client resets it', async (t) => {
  const front = createHttpFront({ exchange() {}, upgrade() {}, connect() {} });
  const server = createServer((socket) => front.accept(TARGET, socket, 'h2')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await front.close(0);
  });
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on('error', () => {});
  t.after(() => session.destroy());
  const ask = (): Promise<void> => {
    const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'h:1' });
    tunnel.on('error', () => {});
    tunnel.close(constants.NGHTTP2_PROTOCOL_ERROR);
    return new Promise((resolve) => tunnel.once('close', resolve));
  };
  for (let n = 0; n < 3; n++) await ask();
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'h:1' });
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 405);
});
