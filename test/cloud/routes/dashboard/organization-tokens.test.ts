import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TOKEN_SCOPES } from '@csg/shared/contract';
import { TOKEN_OPERATIONS } from '../../../../apps/cloud/src/access/token-operations.ts';
import { type Person, signInAs, type TestBrowser } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

type Json = Record<string, unknown>;

describe('organization tokens', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let owner: TestBrowser & Person;
  let admin: TestBrowser & Person;
  before(async () => {
    gateway = await startGateway({ clock });
    owner = await signInAs(gateway, 'owner');
    admin = await signInAs(gateway, 'admin');
  });
  after(() => gateway?.close());

  const create = async (
    scopes: readonly string[],
    more: object = {},
  ): Promise<{ id: string; token: string }> => {
    const { status, body } = await admin.call<{ id: string; token: string }>('POST', '/organization-tokens', {
      name: 'Terraform',
      scopes,
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** As a program sends it: no cookie, no CSRF token, nothing that a browser adds. */
  const call = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(`${gateway.address}/dashboard${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Json;
    const error = (json['error'] ?? {}) as Json;
    return { status: response.status, body: json, code: error['code'], needs: error['required_scope'] };
  };

  test('are shown once, need no CSRF token, and may do what their scopes allow', async () => {
    const { id, token } = await create(['policies', 'events:read']);
    assert.match(token, /^svc_admin_\w{40}$/);
    const listed = await admin.call<Json[]>('GET', '/organization-tokens');
    assert.deepEqual([listed.body[0]?.['id'], JSON.stringify(listed.body).includes(token)], [id, false]);

    const policy = { name: 'By program', action: 'block', threat_types: ['jailbreak'] };
    const made = await call(token, 'POST', '/policies', policy);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal((await call(token, 'GET', '/events')).status, 200);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { only: 'changes' });
    assert.deepEqual([rows[0]?.kind, rows[0]?.actor], ['policy_created', admin.userId]);

    for (const [method, path, needs] of [
      ['GET', '/members', 'members:read'],
      ['DELETE', `/members/${owner.userId}`, 'members'],
      ['GET', '/audit-log', 'audit:read'],
      ['GET', '/keys', 'none'],
      ['POST', '/organization-tokens', 'none'],
      ['GET', '/account/sessions', 'none'],
      ['GET', '/session', 'none'],
      ['PATCH', '/organization', 'none'],
    ] as const) {
      const refused = await call(token, method, path, method === 'GET' ? undefined : {});
      assert.deepEqual(
        [refused.status, refused.code, refused.needs],
        [403, 'insufficient_scope', needs],
        `${method} ${path}`,
      );
    }
    assert.equal((await admin.call('DELETE', `/organization-tokens/${id}`)).status, 204);
    assert.deepEqual((await call(token, 'GET', '/events')).status, 401, 'it ends immediately');
    assert.equal((await admin.call('DELETE', `/organization-tokens/${id}`)).status, 404);
  });

  test('can only read with a :read scope, and give no role above member', async () => {
    const reader = await create(['members:read', 'policies:read', 'audit:read']);
    assert.equal((await call(reader.token, 'GET', '/members')).status, 200);
    assert.equal((await call(reader.token, 'POST', '/audit-log/verify-chain')).status, 200);
    const draft = { policy: { name: 'x', action: 'block', threat_types: ['jailbreak'] } };
    assert.equal((await call(reader.token, 'POST', '/policies/preview', draft)).status, 200);
    const refused = await call(reader.token, 'POST', '/policies', draft.policy);
    assert.deepEqual([refused.code, refused.needs], ['insufficient_scope', 'policies']);

    const { token } = await create(['members']);
    const someone = await signInAs(gateway, 'viewer');
    const role = (to: string) => call(token, 'PATCH', `/members/${someone.userId}`, { role: to });
    assert.equal((await role('member')).status, 200);
    assert.deepEqual((await role('admin')).code, 'insufficient_scope');
    const invited = await call(token, 'POST', '/invitations', { email: 'new@example.com', role: 'admin' });
    assert.equal(invited.code, 'insufficient_scope');
  });

  test('end when they expire, and with the role or membership of their creator', async () => {
    const soon = new Date(clock.now() + 60_000).toISOString();
    const { token } = await create(['events:read'], { expires_at: soon });
    assert.equal((await call(token, 'GET', '/events')).status, 200);
    clock.advance(60_000);
    assert.equal((await call(token, 'GET', '/events')).status, 401);

    const own = await create(['events:read']);
    const { organizationId } = gateway.account;
    await gateway.storage.members.setRole(organizationId, admin.userId, 'member');
    assert.equal((await call(own.token, 'GET', '/events')).status, 401);
    await gateway.storage.members.setRole(organizationId, admin.userId, 'admin');
    assert.equal((await call(own.token, 'GET', '/events')).status, 200);
    await gateway.storage.members.remove(organizationId, admin.userId);
    assert.equal((await call(own.token, 'GET', '/events')).status, 401);
    await gateway.storage.members.add(organizationId, admin.userId, 'admin');
  });

  test('are rejected if they are unknown or have invalid fields, and hidden from viewers', async () => {
    const post = async (body: object) => (await owner.call('POST', '/organization-tokens', body)).status;
    assert.equal(await post({ name: 'x', scopes: [] }), 422);
    assert.equal(await post({ name: 'x', scopes: ['keys'] }), 422);
    assert.equal(await post({ name: 'x', scopes: ['members'], expires_at: '2020-01-01T00:00:00Z' }), 422);
    assert.equal((await call('svc_admin_unknown', 'GET', '/events')).status, 401);
    const viewer = await signInAs(gateway, 'viewer');
    assert.equal((await viewer.call('GET', '/organization-tokens')).status, 403);
  });

  test('may call only operations that exist, each with one scope', async () => {
    const document = (await (await fetch(`${gateway.address}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const known = new Set(
      Object.values(document.paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      ),
    );
    const named = Object.values(TOKEN_OPERATIONS).flatMap(({ read, write }) => [...read, ...write]);
    assert.deepEqual(
      named.filter((id) => !known.has(id)),
      [],
    );
    assert.equal(new Set(named).size, named.length);
    for (const scope of TOKEN_SCOPES) assert.ok(scope.split(':')[0]! in TOKEN_OPERATIONS, scope);
  });
});
