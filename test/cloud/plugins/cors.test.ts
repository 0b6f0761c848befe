import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const ALLOWED = 'https://app.example.com';
const PUBLIC = 'https://gateway.example.com';

describe('browser origins', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ env: { CORS_ORIGINS: ALLOWED, PUBLIC_URL: `${PUBLIC}/base` } });
  });
  after(() => gateway.close());

  const from = (origin: string | null, method = 'POST', headers: Record<string, string> = {}) =>
    gateway.call(method, '/api/v1/security/scan', {
      ...(method === 'POST' ? { body: { content: 'hello' } } : {}),
      headers: { ...(origin === null ? {} : { origin }), ...headers },
    });

  test('allowed origins may read the response and every header of the service', async () => {
    for (const origin of [ALLOWED, PUBLIC]) {
      const response = await from(origin);
      assert.equal(response.headers.get('access-control-allow-origin'), origin);
      assert.match(response.headers.get('vary') ?? '', /\borigin\b/i);
      const exposed = (response.headers.get('access-control-expose-headers') ?? '')
        .toLowerCase()
        .split(/, */);
      for (const name of [
        'x-service-event-id',
        'x-service-decision',
        'x-service-confidence',
        'x-service-threat-type',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-request-id',
        'x-idempotency-replayed',
        'retry-after',
      ]) {
        assert.ok(exposed.includes(name), `${name} is not exposed`);
      }
    }
  });

  test('allowed origins may read errors too', async () => {
    const response = await gateway.call('POST', '/api/v1/security/scan', {
      key: 'svc_live_wrong',
      body: { content: 'x' },
      headers: { origin: ALLOWED },
    });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('access-control-allow-origin'), ALLOWED);
  });

  test('any other origin, and none, gets no permission', async () => {
    for (const origin of [
      'https://evil.example',
      'https://app.example.com.evil.example',
      'http://app.example.com',
      'https://app.example.com:8443',
      'null',
      null,
    ]) {
      const response = await from(origin);
      assert.equal(response.status, 200, 'clients that are no browsers are served all the same');
      assert.equal(response.headers.get('access-control-allow-origin'), null, String(origin));
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('a preflight needs no key: it permits allowed origins and no others', async () => {
    const input = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key,idempotency-key,authorization',
    };
    const yes = await gateway.call('OPTIONS', '/api/v1/chat/completions', {
      key: null,
      headers: { origin: ALLOWED, ...input },
    });
    assert.equal(yes.status, 204);
    assert.equal(yes.headers.get('access-control-allow-origin'), ALLOWED);
    assert.equal(
      yes.headers.get('access-control-allow-headers'),
      'content-type,x-api-key,idempotency-key,authorization',
    );
    assert.deepEqual(yes.headers.get('access-control-allow-methods')?.split(/, */).sort(), [
      'DELETE',
      'GET',
      'PATCH',
      'POST',
      'PUT',
    ]);
    const no = await gateway.call('OPTIONS', '/api/v1/chat/completions', {
      key: null,
      headers: { origin: 'https://evil.example', ...input },
    });
    assert.equal(no.headers.get('access-control-allow-origin'), null);
    assert.equal(no.status, 404);
    assert.match(await no.text(), /operator can allow the origin with CORS_ORIGINS/);
  });
});
