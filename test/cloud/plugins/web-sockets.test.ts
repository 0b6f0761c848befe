import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fastify } from 'fastify';
import { registerWebSockets } from '../../../apps/cloud/src/plugins/web-sockets.ts';

const MAX_BYTES = 100;

async function start(t: TestContext) {
  const lines: string[] = [];
  const app = fastify({
    logger: { level: 'error', stream: { write: (line: string) => lines.push(JSON.parse(line).msg) } },
  });
  await registerWebSockets(app, MAX_BYTES);
  await app.register(async (routes) => {
    routes.get('/echo', { websocket: true }, (socket) => {
      socket.on('message', (data) => socket.send(String(data)));
    });
    routes.get('/broken', { websocket: true }, () => {
      throw new Error('not connected');
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, lines, open: (path: string) => new WebSocket(`ws://127.0.0.1:${port}${path}`) };
}

const closed = async (socket: WebSocket) => ((await once(socket, 'close'))[0] as CloseEvent).code;

test('a message that is too long closes its connection and is not logged', async (t) => {
  const { open, lines } = await start(t);
  const socket = open('/echo');
  await once(socket, 'open');
  socket.send('x'.repeat(MAX_BYTES));
  assert.equal(((await once(socket, 'message'))[0] as MessageEvent).data, 'x'.repeat(MAX_BYTES));
  socket.send('x'.repeat(MAX_BYTES + 1));
  assert.equal(await closed(socket), 1009);
  assert.deepEqual(lines, []);
});

test('a handler that fails ends its connection, and is logged', async (t) => {
  const { open, lines } = await start(t);
  assert.equal(await closed(open('/broken')), 1006);
  assert.deepEqual(lines, ['a WebSocket handler failed']);
});

test('connections are closed as going away when the service stops', async (t) => {
  const { app, open } = await start(t);
  const socket = open('/echo');
  await once(socket, 'open');
  const [code] = await Promise.all([closed(socket), app.close()]);
  assert.equal(code, 1001);
});
