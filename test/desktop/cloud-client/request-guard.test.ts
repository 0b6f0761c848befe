import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { after, test } from 'node:test';
import { createGuardClient } from '../../../apps/desktop/src/cloud-client/request-guard.ts';

const VERDICT = {
  decision: 'allow',
  event_id: 'evt_1',
  confidence: 0,
  threat_type: null,
  threats: [],
  redacted_messages: null,
  unscanned: [],
  latency_ms: 1,
};
const QUESTION = { messages: [{ role: 'user', content: 'hello there' }] };

async function service(answer: RequestListener) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let nowMs = 0;
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/base/`;
  const client = createGuardClient({ url, apiKey: 'svc_live_x', now: () => nowMs });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, calls: () => calls, pass: (ms: number) => (nowMs += ms) };
}

test('sends the device’s credential and returns the verdict', async () => {
  const seen: unknown[] = [];
  const { client } = await service((request, response) => {
    seen.push(request.url, request.headers['x-api-key']);
    response.end(JSON.stringify(VERDICT));
  });
  assert.deepEqual(await client.request(QUESTION, 2_000), { kind: 'verdict', response: VERDICT });
  assert.deepEqual(seen, ['/base/api/v1/guard', 'svc_live_x']);
});

test('no caller waits longer than the deadline', async () => {
  const { client } = await service(() => {});
  assert.deepEqual(await client.request(QUESTION, 100), { kind: 'no-answer', reason: 'timeout' });
});

test('distinguishes an invalid response, a rejection and an error', async () => {
  const say = async (status: number, body: string) => {
    const { client } = await service((_request, response) => response.writeHead(status).end(body));
    const outcome = await client.request(QUESTION, 2_000);
    return outcome.kind === 'no-answer' ? outcome.reason : outcome.kind;
  };
  assert.equal(await say(200, 'not json'), 'invalid');
  assert.equal(await say(200, '{"decision":"maybe"}'), 'invalid');
  assert.equal(await say(401, '{}'), 'refused');
  assert.equal(await say(503, '{}'), 'overloaded');
  assert.equal(await say(413, '{}'), 'refused');
  const unscanned = [{ index: 0, reason: 'engine_unavailable', detail: 'The scan could not run.' }];
  const open = await say(200, JSON.stringify({ ...VERDICT, unscanned }));
  assert.equal(open, 'not_scanned', 'the service’s engine failed, the device’s can run');
});

test('does not call an unreachable service for a while, then tries again', async () => {
  const { client, calls, pass } = await service((request) => request.socket.destroy());
  for (let i = 0; i < 5; i++) assert.equal((await client.request(QUESTION, 2_000)).kind, 'no-answer');
  assert.equal(calls(), 3);
  pass(5_001);
  await client.request(QUESTION, 2_000);
  assert.equal(calls(), 4);
});
