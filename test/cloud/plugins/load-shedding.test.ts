import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Principal } from '../../../apps/cloud/src/flows/authenticate-key.ts';
import {
  createInFlightLimiter,
  type InFlightLimiter,
} from '../../../apps/cloud/src/limits/in-flight-limiter.ts';
import { registerErrorReply } from '../../../apps/cloud/src/plugins/error-reply.ts';
import { registerLoadShedding } from '../../../apps/cloud/src/plugins/load-shedding.ts';
import { createMetrics } from '../../../apps/cloud/src/plugins/metrics.ts';
import { needsRole, needsScope } from '../../../apps/cloud/src/plugins/route-access.ts';
import { until } from '../../support/until.ts';

describe('a service with room for one request', () => {
  const metrics = createMetrics();
  let app: FastifyInstance;
  let work: InFlightLimiter;
  let address: string;
  let gate = Promise.withResolvers<void>();
  const served: string[] = [];
  let arrived = 0;

  before(async () => {
    work = createInFlightLimiter({ requests: 1, bytes: 0, elapsed: performance.now.bind(performance) });
    app = Fastify({ forceCloseConnections: true });
    registerErrorReply(app);
    app.addHook('onRequest', async (request) => {
      const deviceId = request.headers['x-device'] ?? null;
      const organizationId = String(request.headers['x-organization'] ?? 'org_1');
      request.principal = { organizationId, deviceId } as Principal;
    });
    registerLoadShedding(app, { work, metrics });
    app.addHook('onRequest', async () => {
      arrived += 1;
    });
    const waits = (name: string) => async () => {
      served.push(name);
      await gate.promise;
      return { name };
    };
    app.post('/scan', { config: needsScope('scan', { device: true }) }, waits('scan'));
    app.post('/keys', { config: needsScope('keys') }, async () => ({ name: 'keys' }));
    app.get('/audit', { config: needsRole('viewer') }, async () => ({ name: 'audit' }));
    app.post('/tests', { config: needsRole('member', { isHeavy: true }) }, waits('tests'));
    app.post('/fails', { config: needsScope('scan') }, async () => {
      throw new Error('of its own');
    });
    address = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => app.close());
  afterEach(async () => {
    gate.resolve();
    gate = Promise.withResolvers();
    await until(
      async () => work.read().requests,
      (requests) => requests === 0,
    );
  });

  const call = (path: string, init: RequestInit = {}) => fetch(`${address}${path}`, init);
  const post = (path: string, init: RequestInit = {}) =>
    call(path, {
      method: 'POST',
      body: '{}',
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
  /** Resolves once the request is being served, which lasts until the gate opens. */
  async function begin(path = '/scan', init: RequestInit = {}): Promise<void> {
    const count = served.length;
    post(path, init).then(
      (answer) => answer.text(),
      () => 'it left',
    );
    await until(
      async () => served.length,
      (length) => length > count,
    );
  }

  /** Sends the first byte of a body; resolves once the request was let in, with its response. */
  async function beginBody(
    rest: Promise<string>,
    init: RequestInit = {},
  ): Promise<{ answer: Promise<Response> }> {
    const count = arrived;
    const answer = post('/scan', {
      ...init,
      body: ReadableStream.from(
        (async function* () {
          yield Buffer.from('{');
          yield Buffer.from(await rest);
        })(),
      ),
      duplex: 'half',
    } as RequestInit);
    await until(
      async () => arrived,
      (length) => length > count,
    );
    return { answer };
  }

  test('rejects the next heavy request with a time to retry, and counts it', async () => {
    await begin();
    const count = served.length;
    for (const path of ['/scan', '/tests']) {
      const refused = await post(path);
      assert.equal(refused.status, 503);
      assert.equal(refused.headers.get('retry-after'), '1');
      const { error } = (await refused.json()) as { error: Record<string, unknown> };
      assert.equal(error['code'], 'service_unavailable');
      assert.equal(error['retry_after'], 1);
    }
    assert.equal(served.length, count, 'none of them reached its route');
    assert.match(await metrics.read(), /gateway_requests_shed_total\{route="\/scan"\} 1/);
    assert.equal(work.isOverloaded(), true);
  });

  test('serves other organizations, other devices, and all that is not heavy', async () => {
    await begin();
    assert.equal((await post('/keys')).status, 200);
    assert.equal((await call('/audit')).status, 200);
    await begin('/scan', { headers: { 'x-device': 'dev_1' } });
    await begin('/scan', { headers: { 'x-organization': 'org_2' } });
    assert.equal(work.read().requests, 3, 'their requests count');
  });

  test('rejects a device that floods, and no other client', async () => {
    const flood = { headers: { 'x-device': 'dev_1' } };
    await begin('/scan', flood);
    assert.equal((await post('/scan', flood)).status, 503);
    await begin('/scan', { headers: { 'x-device': 'dev_2' } });
    await begin('/scan');
  });

  test('rejects a request whose body arrives when there is no room any more', async () => {
    const body = Promise.withResolvers<string>();
    const slow = await beginBody(body.promise);
    await begin();
    body.resolve('}');
    assert.equal((await slow.answer).status, 503);
  });

  test('does not count a request whose body has not arrived', async () => {
    const leave = new AbortController();
    const slow = await beginBody(new Promise(() => {}), { signal: leave.signal });
    slow.answer.catch(() => {});
    await begin();
    assert.equal(work.read().requests, 1);
    leave.abort();
  });

  test('has room again after a request fails or its client leaves', async () => {
    assert.equal((await post('/fails')).status, 500);
    assert.equal(work.read().requests, 0);
    const leave = new AbortController();
    await begin('/scan', { signal: leave.signal });
    leave.abort();
    gate.resolve();
    await until(
      async () => work.read().requests,
      (requests) => requests === 0,
    );
  });
});
