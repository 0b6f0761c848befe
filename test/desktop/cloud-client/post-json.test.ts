import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { after, test } from 'node:test';
import { Pool } from 'undici';
import {
  DeadlineError,
  postJson,
  ResponseSizeError,
} from '../../../apps/desktop/src/cloud-client/post-json.ts';

async function poster(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const pool = new Pool(origin, { connections: 1 });
  after(async () => {
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  return (body: string, deadlineMs = 10_000) =>
    postJson(pool, {
      origin,
      path: '/x',
      headers: { 'x-a': 'b' },
      body,
      deadlineMs,
      maxResponseBytes: 1_000,
    });
}

test('sends the body unchanged and joins a response that arrives in pieces', async () => {
  const post = await poster(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(201);
    const bytes = Buffer.from(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`);
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  });
  assert.deepEqual(await post('{"é":1}'), { status: 201, text: 'POST /x b {"é":1}' });
});

test('an endless response is limited by the deadline in time, and by a maximum in bytes', async () => {
  const post = await poster((request, response) => {
    request.resume();
    response.write('{');
    if (request.headers['content-length'] === '2') return;
    const timer = setInterval(() => response.write('x'.repeat(400)), 1);
    response.on('close', () => clearInterval(timer));
  });
  await assert.rejects(post('{}', 100), DeadlineError);
  await assert.rejects(post('{"more":1}'), ResponseSizeError);
});

test('never sends a request whose deadline passed while it waited for a connection', async () => {
  let calls = 0;
  let release = (): void => {};
  const post = await poster((request, response) => {
    request.resume();
    calls++;
    release = () => response.end('{}');
  });
  const first = post('{}');
  while (calls < 1) await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(post('{}', 50), DeadlineError);
  release();
  await first;
  const third = post('{}');
  while (calls < 2) await new Promise((resolve) => setImmediate(resolve));
  release();
  await third;
  assert.equal(calls, 2);
});
