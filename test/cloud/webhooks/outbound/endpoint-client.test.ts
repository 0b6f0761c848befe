import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import {
  createEndpointClient,
  type EndpointCall,
} from '../../../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { neverResponds, RECEIVER_FAULTS } from '../../../support/receiver/faults.ts';
import { startFaultyReceiver, startReceiver } from '../../../support/receiver/receiver.ts';
import { HANG_LIMIT_MS } from '../../../support/until.ts';

const post = (url: string, change: Partial<EndpointCall> = {}): EndpointCall => ({
  url,
  body: '{"event":"threat.blocked"}',
  event: 'threat.blocked',
  deliveryId: 'whd_1',
  isTest: false,
  secrets: [],
  ...change,
});
const sender = createEndpointClient({ allowPrivate: true, timeoutMs: 60_000 });

test('a post carries the bytes, their event, the delivery and the signatures', async () => {
  const receiver = await startReceiver();
  const body = '{"text":"ä \\u00e4"}';
  const sent = await sender.send(post(receiver.url, { body, isTest: true, secrets: ['new', 'old'] }));
  assert.deepEqual(sent, { status: 200, error: null, excerpt: null });
  const [got] = receiver.received;
  assert.equal(got?.raw.toString(), body);
  assert.equal(got?.headers['content-type'], 'application/json');
  assert.equal(got?.headers['x-service-event'], 'threat.blocked');
  assert.equal(got?.headers['x-service-delivery'], 'whd_1');
  assert.equal(got?.headers['x-service-test'], 'true');
  assert.match(String(got?.headers['x-service-signature']), /^sha256=[0-9a-f]{64}$/);
  assert.match(String(got?.headers['x-service-signature-previous']), /^sha256=[0-9a-f]{64}$/);
  await receiver.close();
});

test('the start of the response is kept, without secrets and without the path of the URL', async () => {
  const receiver = await startReceiver();
  const excerptOf = async (type: string, body: string | Buffer) => {
    receiver.answer((response) => response.writeHead(500, { 'content-type': type }).end(body));
    const url = `${new URL(receiver.url).origin}/services/T0A1B2C3/x?key=caf%C3%A9-caf%C3%A9`;
    return (await sender.send(post(url, { secrets: ['whsec_of_this'] }))).excerpt;
  };
  assert.equal(await excerptOf('application/json; charset=utf-8', ' {"ok": false}\n'), '{"ok": false}');
  assert.equal(
    await excerptOf('text/html', 'Cannot POST /services/T0A1B2C3/x?key=café-café whsec_of_this'),
    'Cannot POST /[hidden]/[hidden]/x?key=[hidden] [hidden]',
  );
  const long = await excerptOf('text/plain', `${'a'.repeat(1_018)}whsec_of_this${'b'.repeat(9_000)}`);
  assert.equal(long, `${'a'.repeat(1_018)}[hidde`);
  assert.equal(await excerptOf('image/png', Buffer.from([137, 80, 78, 71])), null);
  assert.equal(await excerptOf('text/plain', ''), null);
  await receiver.close();
});

describe('an endpoint that misbehaves', () => {
  test(`in ${RECEIVER_FAULTS.length} ways: each request is delivered or fails in time, with its reason`, async () => {
    assert.ok(RECEIVER_FAULTS.length >= 52);
    const wrong: string[] = [];
    const impatient = createEndpointClient({ allowPrivate: true, timeoutMs: 1_000 });
    await Promise.all(
      RECEIVER_FAULTS.map(async (fault) => {
        const receiver = await startFaultyReceiver(fault);
        const { error } = await (neverResponds(fault) ? impatient : sender).send(post(receiver.url));
        const isRight =
          fault.ends === 'delivered' ? error === null : error !== null && fault.ends.test(error);
        if (!isRight) wrong.push(`${fault.name}: ${error ?? 'delivered'}`);
        await receiver.close();
      }),
    );
    assert.deepEqual(wrong, []);
  });

  test('does not listen, or has invalid TLS', async () => {
    const receiver = await startReceiver();
    const port = new URL(receiver.url).port;
    const { issuer } = await newAuthority(['other.example.com']);
    const leaf = await issuer.leafFor('other.example.com', Date.now());
    const secure = createTlsServer({ cert: leaf.chain, key: leaf.key }, (socket) =>
      socket.on('error', () => {}),
    );
    secure.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const securePort = (secure.address() as AddressInfo).port;
    const errorOf = async (url: string) => (await sender.send(post(url))).error;
    assert.equal(await errorOf('http://127.0.0.1:1/'), 'The endpoint refused the connection.');
    assert.match(String(await errorOf(`https://127.0.0.1:${port}/`)), /TLS|closed the connection/);
    assert.match(String(await errorOf(`https://127.0.0.1:${securePort}/`)), /certificate/);
    assert.match(String(await errorOf(`http://127.0.0.1:${securePort}/`)), /HTTP|closed|answer/);
    assert.equal(receiver.received.length, 0);
    secure.close();
    await receiver.close();
  });

  test('has a name that does not resolve in time, which delays nothing', async () => {
    const stuck = createEndpointClient({ timeoutMs: 100, resolve: () => new Promise(() => {}) });
    assert.match(String((await stuck.send(post('https://slow.example.com/'))).error), /within 0.1 seconds/);
  });
});

test('inner addresses are never contacted: by number, by name, or by a name that changes its address', async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const guarded = createEndpointClient({ ports: [80, 443, Number(port)], timeoutMs: HANG_LIMIT_MS });
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://metadata.google.internal/',
    'https://user:pass@example.com/',
    'ftp://example.com/',
    'not an address',
  ]) {
    const { status, error } = await guarded.send(post(url));
    assert.equal(status, null, url);
    assert.ok(error, url);
  }
  let requestCount = 0;
  const rebinding = createEndpointClient({
    ports: [Number(port)],
    timeoutMs: HANG_LIMIT_MS,
    resolve: async () => [
      { address: requestCount++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 as const },
    ],
  });
  const inner = createEndpointClient({
    ports: [Number(port)],
    timeoutMs: HANG_LIMIT_MS,
    resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  });
  assert.match(String((await inner.send(post(`http://a.example.com:${port}/`))).error), /public internet/);
  const first = rebinding.send(post(`http://b.example.com:${port}/`));
  assert.ok((await first).error);
  assert.equal(requestCount, 1, 'resolved once, and the socket was given that address');
  assert.equal(receiver.received.length, 0);
  await receiver.close();
});
