import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;

describe('an address that keeps failing authentication', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { AUTH_FAILURE_LIMIT: '5', TRUST_PROXY: 'on' } });
  });
  after(() => gateway.close());

  const ask = (key: string | null, address = '192.0.2.1') =>
    readAnswer(gateway.call('GET', '/api/v1/projects', { key, headers: { 'x-forwarded-for': address } }));
  const failUntilHeld = async () => {
    for (let n = 0; n < 5; n++)
      assert.equal((await ask(`svc_live_wrong${n}`)).status, 401, `failure ${n + 1}`);
  };

  test('is locked out for a growing time, learns how long, and a good key is still served', async () => {
    for (const minutes of [1, 2, 4]) {
      await failUntilHeld();
      const held = await ask('svc_live_wrong');
      assert.equal(held.status, 429);
      assert.equal(held.error['code'], 'bot_detected');
      assert.equal(held.error['type'], 'bot_detected');
      assert.equal(held.error['retry_after'], minutes * 60);
      assert.equal(held.headers.get('retry-after'), String(minutes * 60));
      assert.equal((await ask(null)).error['code'], 'bot_detected', 'without a key it is locked out as well');
      assert.equal((await ask(gateway.key)).status, 200);
      assert.equal(
        (await ask('svc_live_wrong', '192.0.2.2')).status,
        401,
        'other addresses are not locked out',
      );
      clock.advance(minutes * MINUTE - 1);
      assert.equal((await ask('svc_live_wrong')).error['retry_after'], 1);
      clock.advance(1);
    }
  });

  test('is locked out together with its IPv6 network of 64 bits', async () => {
    for (let n = 0; n < 5; n++) await ask('svc_live_wrong', `2001:db8:9:9::${n}`);
    assert.equal((await ask('svc_live_wrong', '2001:db8:9:9:ffff::1')).error['code'], 'bot_detected');
    assert.equal((await ask('svc_live_wrong', '2001:db8:9:8::1')).status, 401);
  });

  test('is not locked out for missing, disabled or expired keys: only unknown ones count', async () => {
    const disabled = await gateway.addKey();
    await gateway.storage.keys.setActive(gateway.account.organizationId, disabled.record.id, false);
    const expired = await gateway.addKey({ expiresAtMs: clock.now() - 1 });
    for (let n = 0; n < 6; n++) {
      assert.equal((await ask(null, '192.0.2.3')).error['code'], 'missing_api_key');
      assert.equal((await ask(disabled.plain, '192.0.2.3')).error['code'], 'disabled_api_key');
      assert.equal((await ask(expired.plain, '192.0.2.3')).error['code'], 'expired_api_key');
    }
  });

  test('is not locked out if fewer failures than the limit fall into five minutes', async () => {
    for (let n = 0; n < 8; n++) {
      assert.equal((await ask('svc_live_wrong', '192.0.2.4')).status, 401);
      clock.advance(2 * MINUTE);
    }
  });
});

describe('permissions of keys', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('a key without the scope gets a 403 that names the scope', async () => {
    const { plain } = await gateway.addKey({ permissions: ['scan', 'usage'] });
    const refused = await readAnswer(gateway.call('GET', '/api/v1/policies', { key: plain }));
    assert.equal(refused.status, 403);
    assert.equal(refused.error['code'], 'insufficient_scope');
    assert.equal(refused.error['type'], 'permission_error');
    assert.equal(refused.error['required_scope'], 'policies');
    assert.equal((await gateway.call('GET', '/api/v1/usage/stats', { key: plain })).status, 200);
  });

  test('a device may read policies, but not usage, projects, keys or models', async () => {
    const device = await gateway.addDevice();
    assert.equal((await gateway.call('GET', '/api/v1/policies', { key: device })).status, 200);
    for (const path of ['/usage/stats', '/projects', '/api-keys', '/models']) {
      const refused = await readAnswer(gateway.call('GET', `/api/v1${path}`, { key: device }));
      assert.equal(refused.status, 403, path);
      assert.equal(refused.error['code'], 'insufficient_scope');
    }
  });

  test('a key of a provider in X-API-Key is named as such, and not repeated', async () => {
    for (const key of ['sk-ant-api03-secret', 'sk-proj-secret']) {
      const { status, error, text } = await readAnswer(gateway.call('GET', '/api/v1/projects', { key }));
      assert.deepEqual([status, error['code']], [401, 'invalid_api_key']);
      assert.match(String(error['message']), /those begin with svc_live_\. Send a provider key as "Author/);
      assert.ok(!text.includes('secret'));
    }
    const unknown = await readAnswer(gateway.call('GET', '/api/v1/projects', { key: 'svc_live_unknown' }));
    assert.match(String(unknown.error['message']), /^This API key is unknown\./);
  });

  test('a revoked device is unknown', async () => {
    const device = await gateway.addDevice();
    const { storage, account } = gateway;
    const newest = (await storage.devices.list(account.organizationId))[0];
    await storage.devices.revoke(account.organizationId, newest?.id as string);
    const refused = await readAnswer(gateway.call('GET', '/api/v1/policies', { key: device }));
    assert.equal(refused.status, 401);
    assert.equal(refused.error['code'], 'invalid_api_key');
  });
});
