import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startTap, type Tap } from '../../../clients/compare/tap.ts';

let tap: Tap;
let paths: string[] = [];
const server = createServer((request, response) => {
  paths.push(`${request.headers.host} ${request.url}`);
  response.end('Paris');
});

before(async () => {
  tap = await startTap();
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
after(async () => {
  await tap.close();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;

test('passes requests on as they are, on a connection of the target if it opens one', async () => {
  for (const target of [
    { port: port(), prefix: '' },
    { port: 9, prefix: '', host: 'api.example', connect: async () => connect(port(), '127.0.0.1') },
  ]) {
    tap.target = target;
    const answer = await fetch(`${tap.url}/v1/messages?beta=true`, { method: 'POST', body: 'Bonjour' });
    assert.equal(await answer.text(), 'Paris');
  }
  assert.match(paths[0]!, /^127\.0\.0\.1:\d+ \/v1\/messages\?beta=true$/);
  assert.equal(paths[1], 'api.example /v1/messages?beta=true');
  assert.deepEqual(
    tap.sent.map(({ body, status }) => [String(body), status]),
    [
      ['Bonjour', 200],
      ['Bonjour', 200],
    ],
  );
});

test('takes no other way to the provider when the target cannot be reached', async () => {
  paths = [];
  const unreachable = async () => {
    throw new Error('permitted subtree violation');
  };
  tap.target = { port: port(), prefix: '', host: 'api.example', connect: unreachable };
  const answer = await fetch(`${tap.url}/v1/messages`, { method: 'POST', body: 'Bonjour' });
  assert.equal(answer.status, 502);
  assert.equal(tap.sent.at(-1)?.status, 502);
  assert.deepEqual(paths, []);
});
