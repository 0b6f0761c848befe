import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { ServiceMessage } from '@csg/shared/contract';
import { type WebSocket, WebSocketServer } from 'ws';
import { type LiveChannel, openLiveChannel } from '../../../apps/desktop/src/cloud-client/live-channel.ts';

/** Silence longer than any test, so that a busy computer does not look like a dead connection. */
const QUICK = { firstMs: 5, longestMs: 20, silenceMs: 600_000 };

async function service({ autoPong = true, pauses = QUICK } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong });
  await once(server, 'listening');
  const messages: ServiceMessage[] = [];
  const keys: unknown[] = [];
  let wake: () => void = () => {};
  server.on('connection', (_socket, request) => keys.push(request.headers['x-api-key'], request.url));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/base`;
  const channel: LiveChannel = openLiveChannel({
    url,
    apiKey: 'svc_live_x',
    onOpen: () =>
      channel.send({ type: 'heartbeat', agent_version: '1', proxy_restarts: 0, supervisor_state: 'quiet' }),
    onMessage: (message) => {
      messages.push(message);
      wake();
    },
    random: () => 0,
    pauses,
  });
  after(() => {
    channel.close();
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const joined = async (): Promise<WebSocket> => ((await once(server, 'connection')) as [WebSocket])[0];
  const heard = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  return { url, channel, messages, keys, joined, heard };
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

for (const [how, revoke] of Object.entries({
  'a message': (socket: WebSocket) => {
    socket.send('{"type":"revoked"}');
    socket.close(1001);
  },
  'a close code': (socket: WebSocket) => socket.close(4001),
})) {
  test(`does not reconnect after ${how} that means revoked`, async () => {
    const { url, joined, messages, heard, keys } = await service();
    const socket = await joined();
    const next = heard();
    const closed = once(socket, 'close');
    revoke(socket);
    await Promise.all([next, closed]);
    assert.deepEqual(messages, [{ type: 'revoked' }]);
    // Each pause of this one begins later and is longer than that of the revoked one, which would be back first.
    const other = openLiveChannel({
      url,
      apiKey: 'svc_live_other',
      onOpen: () => {},
      onMessage: () => {},
      random: () => 1,
      pauses: { ...QUICK, firstMs: 20 },
    });
    after(() => other.close());
    for (let round = 0; round < 3; round++) (await joined()).close(1001);
    const names = keys.filter((_, index) => index % 2 === 0);
    assert.deepEqual(names, ['svc_live_x', ...Array(3).fill('svc_live_other')]);
  });
}

test('drops a connection without any sign of life, and reconnects', async () => {
  const { joined } = await service({ autoPong: false, pauses: { ...QUICK, silenceMs: 40 } });
  const socket = await joined();
  const again = joined();
  await once(socket, 'close');
  await again;
});
