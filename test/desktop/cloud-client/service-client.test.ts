import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { after, test } from 'node:test';
import { createServiceClient } from '../../../apps/desktop/src/cloud-client/service-client.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';

const HEARTBEAT = { agent_version: '1', proxy_restarts: 0, supervisor_state: 'quiet' } as const;

async function service(answer: RequestListener, deadlineMs = 60_000) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/base/`;
  const client = createServiceClient({ url, apiKey: 'svc_live_x', deadlineMs });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

test('returns the configuration unchanged, and not again for the same ETag', async () => {
  const seen: unknown[] = [];
  const client = await service((request, response) => {
    seen.push(request.url, request.headers['x-api-key']);
    response.setHeader('etag', 'W/"pv_1"');
    if (request.headers['if-none-match'] === 'W/"pv_1"') response.writeHead(304).end();
    else response.end('{"a": 1.0}');
  });
  assert.deepEqual(await client.config(null), {
    kind: 'ok',
    value: { text: '{"a": 1.0}', etag: 'W/"pv_1"' },
  });
  assert.deepEqual(await client.config('W/"pv_1"'), { kind: 'ok', value: { text: null, etag: 'W/"pv_1"' } });
  assert.deepEqual(seen.slice(0, 2), ['/base/api/v1/devices/config', 'svc_live_x']);
});

test('distinguishes a rejection, an error, another program and no response', async () => {
  const say = async (status: number, body: string) => {
    const client = await service((_request, response) => response.writeHead(status).end(body));
    return await client.heartbeat(HEARTBEAT);
  };
  assert.deepEqual(await say(401, '{"error":{"code":"invalid_api_key","message":"Not known."}}'), {
    kind: 'refused',
    status: 401,
    code: 'invalid_api_key',
    message: 'Not known.',
  });
  assert.equal((await say(404, '<html>')).kind, 'refused');
  assert.equal((await say(302, '')).kind, 'refused', 'a credential follows no redirect');
  for (const [status, body] of [
    [503, ''],
    [429, '{"error":{"code":"rate_limit_exceeded","message":"Slow."}}'],
    [200, '<html>'],
    [200, '{}'],
  ] as const) {
    assert.equal((await say(status, body)).kind, 'no-answer', `${status} ${body}`);
  }
  const silent = await (await service(() => {}, 100)).heartbeat(HEARTBEAT);
  assert.match(silent.kind === 'no-answer' ? silent.reason : '', /did not respond in time/);
});

test('reports a service that does not run, and one with an untrusted certificate', async () => {
  const gone = createServiceClient({ url: 'http://127.0.0.1:1', apiKey: null, deadlineMs: 60_000 });
  const lost = await gone.heartbeat(HEARTBEAT);
  assert.match(lost.kind === 'no-answer' ? lost.reason : '', /cannot be reached \(ECONNREFUSED\)/);
  await gone.close();

  const leaf = await (await newAuthority(['localhost'])).issuer.leafFor('localhost', Date.now());
  let heard = 0;
  const server = createTlsServer({ cert: leaf.chain, key: leaf.key }, () => heard++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as { port: number }).port}`;
  const client = createServiceClient({ url, apiKey: 'k', deadlineMs: 60_000 });
  const outcome = await client.heartbeat(HEARTBEAT);
  assert.match(outcome.kind === 'no-answer' ? outcome.reason : '', /certificate .* not trusted/);
  assert.equal(heard, 0);
  await client.close();
  server.close();
});
