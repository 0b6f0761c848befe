import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import {
  type ControlServer,
  openControlServer,
} from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { idleStatus } from '../../../../apps/desktop/src/agent/status/read-status.ts';
import { HANG_LIMIT_MS } from '../../../support/until.ts';

const settings = readSettings({ HOME: '/nonexistent', AGENT_STATE_DIR: '/nonexistent/state' }, 'linux');
const STATUS = idleStatus({ settings, files: stateFiles(settings.stateDir) });
let asked = 0;

async function open(): Promise<ControlServer> {
  const server = await openControlServer({
    status: () => {
      asked++;
      return STATUS;
    },
    recent: () => [],
    sight: () => null,
    ...serviceRequests(() => null),
    'try-again': () => {
      throw new Error('Not now.');
    },
    stop: () => null,
  });
  after(() => server.close());
  return server;
}

/** Sends a handshake byte for byte; returns the status line of the response. */
async function knock(port: number, lines: readonly string[], path = '/control'): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...lines,
      '',
      '',
    ].join('\r\n'),
  );
  socket.setTimeout(HANG_LIMIT_MS, () => socket.destroy());
  const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [
    unknown,
  ];
  socket.destroy();
  return String(first).split('\r\n', 1)[0] ?? '';
}

test('rejects 200 hostile handshakes', async () => {
  const { address } = await open();
  const own = `127.0.0.1:${address.port}`;
  const key = `Authorization: Bearer ${address.token}`;
  assert.equal(
    await knock(address.port, [`Host: ${own}`, key]),
    'HTTP/1.1 101 Switching Protocols',
    'the valid handshake',
  );
  const names = [
    'localhost',
    'evil.example',
    '127.0.0.1.evil.example',
    '[::1]',
    '0.0.0.0',
    '127.1',
    '2130706433',
    'agent.localhost',
    '',
    `${own}@evil.example`,
  ];
  const hosts = names.flatMap((name) => [name, `${name}:${address.port}`, `${name}:80`]);
  const origins = [
    'null',
    'http://127.0.0.1',
    `http://${own}`,
    'https://evil.example',
    'file://',
    'chrome-extension://abc',
    'csg://x',
    '',
  ];
  const tokens = [
    '',
    'Authorization: Bearer',
    'Authorization: Bearer ',
    `Authorization: Bearer ${address.token.slice(1)}`,
    `Authorization: Bearer ${address.token}x`,
    `Authorization: Bearer ${address.token.toLowerCase()}A`,
    `Authorization: Basic ${address.token}`,
    `Authorization: ${address.token}`,
    `Cookie: token=${address.token}`,
    `X-Token: ${address.token}`,
    `Sec-WebSocket-Protocol: ${address.token}`,
  ];
  const attempts: [lines: string[], path?: string][] = [
    ...hosts.map((host): [string[]] => [[`Host: ${host}`, key]]),
    ...hosts.map((host): [string[]] => [[`Host: ${own}`, `Host: ${host}`, key]]),
    ...hosts.map((host): [string[]] => [[`Host: ${host}`, `Host: ${own}`, key]]),
    ...origins.flatMap((origin) =>
      names.map((name): [string[]] => [[`Host: ${name || own}`, `Origin: ${origin}`, key]]),
    ),
    ...origins.map((origin): [string[]] => [[`Host: ${own}`, `Origin: ${origin}`, key]]),
    ...tokens.map((line): [string[]] => [line === '' ? [`Host: ${own}`] : [`Host: ${own}`, line]]),
    ...['/', '/control/', '/control?x', '//control', '/CONTROL', `http://${own}/control`].map(
      (path): [string[], string] => [[`Host: ${own}`, key], path],
    ),
    ...['cross-site', 'same-origin', 'none'].map((site): [string[]] => [
      [`Host: ${own}`, `Sec-Fetch-Site: ${site}`, key],
    ]),
    [[key]],
  ];
  assert.ok(attempts.length >= 199, `${attempts.length} attempts`);
  for (const [lines, path] of attempts) {
    const line = await knock(address.port, lines, path);
    assert.match(line, /^HTTP\/1\.1 40[03]|^$/, lines.join(' | '));
  }
  const page = await fetch(`http://${own}/control`);
  assert.equal(page.status, 403);
  assert.equal(page.headers.get('access-control-allow-origin'), null);
});

test('responses carry the id of their request, also for unknown methods; invalid input ends the connection', async () => {
  const server = await open();
  const socket = new WebSocket(`ws://127.0.0.1:${server.address.port}/control`, {
    headers: { authorization: `Bearer ${server.address.token}` },
  });
  await once(socket, 'open');
  const say = async (text: string) => {
    socket.send(text);
    return JSON.parse(String(((await once(socket, 'message')) as [Buffer])[0]));
  };
  const before = asked;
  assert.deepEqual(await say('{"id":7,"method":"status"}'), { id: 7, result: STATUS });
  assert.equal(asked, before + 1);
  assert.deepEqual(await say('{"id":8,"method":"try-again"}'), { id: 8, error: 'Not now.' });
  assert.match((await say('{"id":9,"method":"constructor"}')).error, /Unknown method/);
  const message = once(socket, 'message');
  server.broadcast({ event: 'status', status: STATUS });
  assert.equal(JSON.parse(String(((await message) as [Buffer])[0])).event, 'status');
  socket.send('nonsense');
  assert.equal((await once(socket, 'close'))[0], 1008);
});
