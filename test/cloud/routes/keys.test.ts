import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeKey, parseKey } from '../../../apps/cloud/src/storage/key-format.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

type Json = Record<string, unknown>;

describe('API keys', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  const create = async (body: object, key?: string) => {
    const response = await gateway.call('POST', '/api/v1/api-keys', { body, ...(key ? { key } : {}) });
    return { status: response.status, body: (await response.json()) as Json & { error?: Json } };
  };
  const statusWith = async (key: string) =>
    (await gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } })).status;

  test('are created in the decided format, work immediately and are listed without the secret', async () => {
    const { status, body } = await create({ name: 'App', permissions: ['scan'], expires_at: null });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['id', 'key', 'name', 'prefix']);
    assert.equal(parseKey(body['key'] as string).kind, 'key');
    assert.ok((body['key'] as string).startsWith(body['prefix'] as string));
    assert.equal(await statusWith(body['key'] as string), 200);
    const listed = (await (await gateway.call('GET', '/api/v1/api-keys')).json()) as Json[];
    const item = listed.find((key) => key['id'] === body['id']);
    assert.deepEqual(Object.keys(item ?? {}).sort(), [
      'allowed_models',
      'created_at',
      'daily_token_limit',
      'expires_at',
      'id',
      'is_active',
      'last_used_at',
      'name',
      'permissions',
      'prefix',
      'project_id',
      'project_name',
    ]);
    assert.ok(!JSON.stringify(listed).includes(body['key'] as string));
  });

  test('are disabled and enabled by a toggle, and unknown once they are deleted', async () => {
    const { body } = await create({ name: 'Toggled' });
    const key = body['key'] as string;
    assert.equal(await statusWith(key), 200);
    const path = `/api/v1/api-keys/${body['id']}`;
    const off = (await (await gateway.call('PUT', `${path}/toggle`)).json()) as Json;
    assert.equal(off['is_active'], false);
    const refused = await gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'x' } });
    assert.equal(refused.status, 401);
    assert.equal(((await refused.json()) as { error: Json }).error['code'], 'disabled_api_key');
    await gateway.call('PUT', `${path}/toggle`);
    assert.equal(await statusWith(key), 200);
    assert.equal((await gateway.call('DELETE', path)).status, 204);
    assert.equal(await statusWith(key), 401);
    assert.equal((await gateway.call('DELETE', path)).status, 404);
  });

  test('follow a change by another process within a second', async () => {
    const { record, plain } = await gateway.addKey();
    assert.equal(await statusWith(plain), 200);
    await gateway.storage.keys.setActive(gateway.account.organizationId, record.id, false);
    clock.advance(1_000);
    assert.equal(await statusWith(plain), 401);
  });

  test('are revealed whole, which the audit log records', async () => {
    const { body } = await create({ name: 'Shown' });
    const shown = (await (await gateway.call('GET', `/api/v1/api-keys/${body['id']}/reveal`)).json()) as Json;
    assert.deepEqual(shown, { id: body['id'], name: 'Shown', prefix: body['prefix'], key: body['key'] });
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'key_revealed',
    });
    assert.equal(rows[0]?.subject, body['id']);
  });

  test('are rejected from the millisecond of their expiry', async () => {
    const { plain } = await gateway.addKey({ expiresAtMs: clock.now() + 500 });
    assert.equal(await statusWith(plain), 200);
    clock.advance(500);
    const refused = await gateway.call('POST', '/api/v1/security/scan', {
      key: plain,
      body: { content: 'x' },
    });
    assert.equal(((await refused.json()) as { error: Json }).error['code'], 'expired_api_key');
  });

  test('are rotated: the new key works, and the old one until its grace period ends', async () => {
    const { body: old } = await create({ name: 'Rotated', permissions: ['scan', 'keys'] });
    const response = await gateway.call('POST', `/api/v1/api-keys/${old['id']}/rotate`, {
      body: { grace_minutes: 5 },
    });
    const fresh = (await response.json()) as Json;
    assert.equal(response.status, 200, JSON.stringify(fresh));
    assert.equal(fresh['replaces'], old['id']);
    assert.equal(fresh['old_key_expires_at'], new Date(clock.now() + 300_000).toISOString());
    assert.equal(await statusWith(fresh['key'] as string), 200);
    assert.equal(await statusWith(old['key'] as string), 200);
    clock.advance(300_000);
    assert.equal(await statusWith(fresh['key'] as string), 200);
    assert.equal(await statusWith(old['key'] as string), 401);
  });

  test('cannot create or reveal keys with more permissions than their own', async () => {
    const { plain } = await gateway.addKey({ permissions: ['keys', 'scan'] });
    assert.equal((await create({ name: 'More', permissions: ['proxy'] }, plain)).status, 403);
    const inherited = await create({ name: 'Same' }, plain);
    assert.equal(inherited.status, 200);
    assert.equal(await statusWith(inherited.body['key'] as string), 200);
    const listed = (await (await gateway.call('GET', '/api/v1/api-keys', { key: plain })).json()) as Json[];
    assert.deepEqual(listed.find((key) => key['id'] === inherited.body['id'])?.['permissions'], [
      'keys',
      'scan',
    ]);
    const whole = await gateway.addKey();
    const reveal = await gateway.call('GET', `/api/v1/api-keys/${whole.record.id}/reveal`, { key: plain });
    assert.equal(reveal.status, 403);
  });

  test('are rejected with a 422 at the invalid field', async () => {
    const cases: [object, (string | number)[]][] = [
      [{}, ['body', 'name']],
      [{ name: '' }, ['body', 'name']],
      [{ name: 'x'.repeat(51) }, ['body', 'name']],
      [{ name: 'prod\u202etset' }, ['body', 'name']],
      [{ name: 'a\nb' }, ['body', 'name']],
      [{ name: 'x', permissions: ['root'] }, ['body', 'permissions', 0]],
      [{ name: 'x', expires_at: 'tomorrow' }, ['body', 'expires_at']],
      [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at']],
    ];
    for (const [sent, loc] of cases) {
      const { status, body } = await create(sent);
      assert.equal(status, 422, JSON.stringify(sent));
      assert.deepEqual((body['detail'] as Json[])[0]?.['loc'], loc);
      assert.equal('error' in body, false);
    }
    assert.equal((await create({ name: 'x', project_id: 'proj_unknown' })).status, 404);
  });

  test('cannot be created by a user whose email address is not verified', async () => {
    const user = await gateway.storage.users.insert({ email: 'new@example.com' });
    await gateway.storage.members.add(gateway.account.organizationId, user.id, 'member');
    const { plain } = await gateway.addKey({ userId: user.id });
    const refused = await create({ name: 'x' }, plain);
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error?.['code'], 'email_not_verified');
  });

  test('can be seen by a viewer, and not changed', async () => {
    const user = await gateway.storage.users.insert({ email: 'viewer@example.com', emailVerifiedAtMs: 1 });
    await gateway.storage.members.add(gateway.account.organizationId, user.id, 'viewer');
    const { plain } = await gateway.addKey({ userId: user.id });
    assert.equal((await gateway.call('GET', '/api/v1/api-keys', { key: plain })).status, 200);
    assert.equal((await create({ name: 'x' }, plain)).body.error?.['code'], 'insufficient_role');
    const project = await gateway.call('POST', '/api/v1/projects', { key: plain, body: { name: 'x' } });
    assert.equal(project.status, 403);
  });

  test('are limited by the plan for each project', async () => {
    await gateway.storage.subscriptions.set(gateway.account.accountId, { plan: 'free' });
    clock.advance(1_000);
    const refused = await create({ name: 'one too many' });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error?.['code'], 'plan_limit_reached');
    await gateway.storage.subscriptions.set(gateway.account.accountId, { plan: 'enterprise' });
    clock.advance(1_000);
  });

  test('of another organization are a 404', async () => {
    const stranger = await gateway.storage.users.insert({ email: 'other@example.com', emailVerifiedAtMs: 1 });
    const foreign = await gateway.storage.organizations.insert({
      kind: 'team',
      name: 'Other',
      ownerId: stranger.id,
    });
    const record = await gateway.storage.keys.insert({
      organizationId: foreign.id,
      projectId: null,
      userId: stranger.id,
      deviceId: null,
      name: 'foreign',
      permissions: [],
      expiresAtMs: null,
      key: makeKey(),
    });
    for (const [method, tail] of [
      ['PUT', '/toggle'],
      ['GET', '/reveal'],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const response = await gateway.call(method, `/api/v1/api-keys/${record.id}${tail}`);
      assert.equal(response.status, 404, `${method} ${tail}`);
    }
  });
});
