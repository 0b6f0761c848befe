import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { createManualClock } from '../../support/clock.ts';
import { createEmptyDatabase, noPostgres, startCluster } from '../../support/databases.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

describe('error responses', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ isOwn: true, env: { LOG_LEVEL: 'error' } });
  });
  after(() => gateway.close());

  test('an unknown path is a 404, also without a key', async () => {
    for (const path of [
      '/nowhere',
      '/api/v1/nowhere',
      '/api/v1/proxy/nowhere',
      '/api/v2/guard',
      '/API/V1/guard',
    ]) {
      const answer = await readAnswer(gateway.call('GET', path, { key: null }));
      assert.equal(answer.status, 404, path);
      assert.equal(answer.error['code'], 'not_found');
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    }
  });

  test('every 401 says how to sign in, as RFC 9110 requires', async () => {
    for (const [method, path, key] of [
      ['POST', '/api/v1/mcp', null],
      ['GET', '/api/v1/api-keys', 'svc_live_unknown'],
      ['POST', '/api/v1/guard', null],
    ] as const) {
      const options = method === 'POST' ? { key, body: {} } : { key };
      const answer = await readAnswer(gateway.call(method, path, options));
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'], path);
    }
  });

  test('Anthropic’s clients get the type that they look for, all others the error alone', async () => {
    const keys = async (headers: Record<string, string>) =>
      Object.keys((await readAnswer(gateway.call('GET', '/api/v1/nowhere', { headers }))).body);
    assert.deepEqual(await keys({ 'anthropic-version': '2023-06-01' }), ['type', 'error']);
    assert.deepEqual(await keys({}), ['error']);
  });

  test('bytes that are no HTTP are answered and closed, not left hanging', async () => {
    const { port } = new URL(gateway.address);
    for (const bytes of [
      'HELLO\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
      assert.match(received, /^HTTP\/1\.1 (400|404|505) /, JSON.stringify(bytes));
      assert.doesNotMatch(received, /node:|\.ts|stack/);
    }
  });

  test('"always carry `loc`, `msg`, `type`, `input`, `ctx`": the given value, and of a secret its placeholder', async () => {
    const secret = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
    for (const [direction, input] of [
      ['sideways', 'sideways'],
      [secret, '[API_KEY]'],
    ] as const) {
      const body = { messages: [{ role: 'user', content: 'x' }], direction };
      const answer = await readAnswer(gateway.call('POST', '/api/v1/guard', { body }));
      assert.equal(answer.status, 422);
      assert.equal((answer.body['detail'] as { input: unknown }[])[0]?.input, input);
      assert.ok(!answer.text.includes(secret));
    }
  });
});

describe('unavailable storage', { skip: noPostgres }, () => {
  test('is a 503 with Retry-After everywhere and makes the service unready, until it is back', async (t) => {
    const cluster = await startCluster();
    let gateway: TestGateway | undefined;
    t.after(async () => {
      await gateway?.close();
      await cluster.remove();
    });
    const database = await createEmptyDatabase(cluster.url);
    const env = { DATABASE_URL: database.databaseUrl, DATABASE_WAIT_MS: '0', LOG_LEVEL: 'silent' };
    const clock = createManualClock(Date.now());
    const opened = await startGateway({ env, clock });
    gateway = opened;
    const ready = () => readAnswer(opened.call('GET', '/health/ready', { key: null }));
    const scan = () =>
      readAnswer(opened.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } }));
    assert.equal((await ready()).status, 200);
    assert.equal((await scan()).status, 200);
    await cluster.stop();
    clock.advance(1_000);
    const notReady = await ready();
    assert.equal(notReady.status, 503);
    assert.equal(notReady.body['status'], 'not ready');
    assert.ok('storage' in (notReady.body['faults'] as object));
    assert.doesNotMatch(notReady.text, /postgres:\/\//);
    const chat = () =>
      readAnswer(
        opened.call('POST', '/api/v1/chat/completions', {
          body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] },
          bearer: PROVIDER_KEY,
        }),
      );
    for (const answer of [await scan(), await chat()]) {
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.error['code'], 'service_unavailable');
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.equal(answer.error['retry_after'], 5);
    }
    assert.equal(
      (await opened.call('GET', '/health', { key: null })).status,
      200,
      'the process itself is healthy',
    );
    await cluster.start();
    for (const ask of [scan, ready]) {
      const again = await until(
        () => {
          clock.advance(1_000);
          return ask();
        },
        ({ status }) => status !== 503,
      );
      assert.equal(again.status, 200, again.text);
    }
    const stats = await readAnswer(opened.call('GET', '/api/v1/usage/stats'));
    assert.equal(stats.body['requests_used'], 2, 'requests rejected for it are not counted');
    assert.equal((await opened.storage.audit.verify(opened.account.organizationId)).valid, true);
  });
});

test('a checkpoint file that was removed stops no request', async () => {
  const gateway = await startGateway({ isOwn: true, env: { LOG_LEVEL: 'silent' } });
  rmSync(join(gateway.dataDir, 'audit-checkpoints.jsonl'), { force: true });
  const answer = await readAnswer(
    gateway.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } }),
  );
  assert.equal(answer.status, 200);
  await gateway.close();
});
