import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { ServiceMessage } from '@csg/shared/contract';
import { type WebSocket, WebSocketServer } from 'ws';
import { type LiveChannel, openLiveChannel } from '../../../apps/desktop/src/cloud-client/live-channel.ts';

const QUICK = { firstMs: 5, longestMs: 20, silenceMs: 40 };

async function service(autoPong = true) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong });
  await once(server, 'listening');
  const messages: ServiceMessage[] = [];
  const keys: unknown[] = [];
  let wake: () => void = () => {};
  server.on('connection', (_socket, request) => keys.push(request.headers['x-api-key'], request.url));
  const channel: LiveChannel = openLiveChannel({
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/base`,
    apiKey: 'svc_live_x',
    onOpen: () =>
      channel.send({ type: 'heartbeat', agent_version: '1', proxy_restarts: 0, supervisor_state: 'quiet' }),
    onMessage: (message) => {
      messages.push(message);
      wake();
    },
    random: () => 0,
    pauses: QUICK,
  });
  after(() => {
    channel.close();
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const joined = async (): Promise<WebSocket> => ((await once(server, 'connection')) as [WebSocket])[0];
  const heard = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  return { server, channel, messages, keys, joined, heard };
}

test('sends a heartbeat after every connect, and reconnects after every loss', async () => {
  const { joined, keys, channel } = await service();
  for (let round = 0; round < 3; round++) {
    const socket = await joined();
    const [first] = (await once(socket, 'message')) as [Buffer];
    assert.equal(JSON.parse(String(first)).type, 'heartbeat');
    assert.ok(channel.isOpen());
    if (round === 1) socket.terminate();
    else socket.close(1001);
  }
  assert.deepEqual(keys.slice(0, 2), ['svc_live_x', '/base/api/v1/devices/channel']);
});

test('passes known messages on and ignores the rest', async () => {
  const { joined, messages, heard } = await service();
  const socket = await joined();
  for (const text of ['{"type":"of-tomorrow"}', 'no json', 'null']) socket.send(text);
  socket.send(Buffer.from('{"type":"revoked"}'), { binary: true });
  const next = heard();
  socket.send('{"type":"config-changed","policy_version":"pv_2"}');
  await next;
  assert.deepEqual(messages, [{ type: 'config-changed', policy_version: 'pv_2' }]);
});

test('does not reconnect after a close code that means revoked', async () => {
  const { joined, messages, heard, server } = await service();
  const socket = await joined();
  const next = heard();
  const closed = once(socket, 'close');
  socket.close(4001);
  await Promise.all([next, closed]);
  assert.deepEqual(messages, [{ type: 'revoked' }]);
  const outcome = await Promise.race([
    once(server, 'connection').then(() => 'came back'),
    once(AbortSignal.timeout(100), 'abort').then(() => 'stayed away'),
  ]);
  assert.equal(outcome, 'stayed away');
});

test('drops a connection without any sign of life, and reconnects', async () => {
  const { joined } = await service(false);
  const socket = await joined();
  await once(socket, 'close');
  await joined();
});
