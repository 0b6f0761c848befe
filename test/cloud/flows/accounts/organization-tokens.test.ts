import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, PLANS, ValidationError } from '@csg/shared/contract';
import {
  createOrganizationToken,
  readOrganizationToken,
  removeOrganizationToken,
} from '../../../../apps/cloud/src/flows/accounts/organization-tokens.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code =
  (expected: string, fields: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError, String(error));
    assert.deepEqual([error.code, error.fields], [expected, fields]);
    return true;
  };

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const caller = await env.addCaller('pro');
  const { organizationId } = caller;
  const create = (change: { name?: string; expires_at?: string | null } = {}) =>
    createOrganizationToken({ storage, clock }, caller, { name: 'CI', scopes: ['members'], ...change });
  const read = (token: string) => readOrganizationToken({ storage, clock, plans: PLANS }, token);
  const list = () => storage.organizationTokens.list(organizationId);
  const log = () => env.changes(organizationId);
  const at = (afterMs: number) => new Date(clock.now() + afterMs).toISOString();
  return { ...env, caller, organizationId, create, read, list, log, at };
}

test('a token is created and recorded, and expires never by default', async (t) => {
  const { clock, caller, organizationId, create, list, log } = await openTeam(t);
  const { record, token } = await create({ name: '  CI ' });
  assert.match(token, /^svc_admin_\w{40}$/);
  assert.deepEqual(record, {
    ...{ id: record.id, organizationId, name: 'CI', scopes: ['members'], createdBy: caller.userId },
    ...{ expiresAtMs: null, lastUsedAtMs: null, createdAtMs: clock.now() },
  });
  assert.deepEqual(await list(), [record]);
  const row = { kind: 'organization_token_created', actor: caller.userId, subject: record.id };
  assert.deepEqual(await log(), [{ ...row, data: { scopes: ['members'], expires_at_ms: null } }]);
  assert.equal((await create({ expires_at: null })).record.expiresAtMs, null);
});

test('an expiry must be in the future, and ends the token', async (t) => {
  const { clock, create, read, list, log, at } = await openTeam(t);
  for (const expires_at of [at(0), at(-1)]) {
    await assert.rejects(create({ expires_at }), (error) => {
      assert.ok(error instanceof ValidationError);
      const [issue] = error.detail;
      assert.deepEqual([issue?.loc, issue?.type], [['body', 'expires_at'], 'past']);
      return true;
    });
  }
  assert.deepEqual([await list(), await log()], [[], []]);
  const endMs = clock.now() + 10;
  const { record, token } = await create({ expires_at: at(10) });
  assert.equal(record.expiresAtMs, endMs);
  assert.deepEqual((await log())[0]?.data, { scopes: ['members'], expires_at_ms: endMs });
  clock.set(endMs - 1);
  assert.equal((await read(token))?.signedIn.expiresAtMs, endMs);
  clock.set(endMs);
  assert.equal(await read(token), null);
});

test('an organization has fifty tokens at most, also of concurrent calls', async (t) => {
  const { storage, caller, organizationId, create, list, log } = await openTeam(t);
  const input = { name: 'x', scopes: ['members'], createdBy: caller.userId, expiresAtMs: null } as const;
  for (let n = 0; n < 49; n++) await storage.organizationTokens.create(organizationId, input);
  const both = await Promise.allSettled([create(), create()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(create(), code('plan_limit_reached', { limit: 50 }));
  assert.deepEqual([(await list()).length, (await log()).length], [50, 1]);
});

test('a token is removed once, by its own organization', async (t) => {
  const { storage, caller, create, read, list, log, addCaller } = await openTeam(t);
  const { record, token } = await create();
  await assert.rejects(removeOrganizationToken({ storage }, await addCaller(), record.id), code('not_found'));
  assert.deepEqual([(await list()).length, (await log()).length], [1, 1]);
  await removeOrganizationToken({ storage }, caller, record.id);
  assert.deepEqual([await read(token), await list()], [null, []]);
  const row = { kind: 'organization_token_removed', actor: caller.userId, subject: record.id, data: {} };
  assert.deepEqual((await log())[1], row);
  await assert.rejects(removeOrganizationToken({ storage }, caller, record.id), code('not_found'));
  assert.equal((await log()).length, 2);
});

test('a token acts for its creator, with the plan of the organization', async (t) => {
  const { storage, caller, organizationId, create, read } = await openTeam(t);
  const { record, token } = await create();
  const account = { id: caller.userId, planName: 'pro', plan: PLANS.pro, status: 'active', onDemand: true };
  const membership = {
    ...{ organizationId, organizationName: 'Team', organizationKind: 'team', role: 'owner' },
    ...{ lacksSso: false, lacksSecondFactor: false, account },
  };
  const signedIn = {
    ...{ sessionId: record.id, userId: caller.userId, email: caller.session.email, name: 'Person' },
    ...{ isEmailVerified: true, hasSecondFactor: false, ssoOrganizationId: null, csrfToken: '' },
    ...{ expiresAtMs: Number.MAX_SAFE_INTEGER, membership },
  };
  assert.deepEqual(await read(token), { token: record, signedIn });
  await storage.users.update(caller.userId, { emailVerifiedAtMs: null });
  assert.deepEqual((await read(token))?.signedIn, { ...signedIn, isEmailVerified: false });
  assert.equal(await read('svc_admin_unknown'), null);
});

test('a token lacks the second factor that its creator lacks, and never single sign-on', async (t) => {
  const { storage, caller, organizationId, create, read } = await openTeam(t);
  const { token } = await create();
  await storage.organizations.setSsoOnly(organizationId, true);
  await storage.organizations.setRequiresSecondFactor(organizationId, true);
  await storage.members.setRole(organizationId, caller.userId, 'admin');
  const facts = async () => {
    const { hasSecondFactor, membership } = (await read(token))!.signedIn;
    return [hasSecondFactor, membership?.lacksSecondFactor, membership?.lacksSso];
  };
  assert.deepEqual(await facts(), [false, true, false]);
  await storage.secondFactors.begin(caller.userId, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
  await storage.secondFactors.confirm(caller.userId, 1);
  assert.deepEqual(await facts(), [true, false, false]);
});

test('a token works as long as its creator is an admin', async (t) => {
  const { storage, caller, organizationId, create, read } = await openTeam(t);
  const { token } = await create();
  for (const [role, works] of [
    ['admin', true],
    ['member', false],
    ['auditor', false],
    ['viewer', false],
    ['owner', true],
  ] as const) {
    await storage.members.setRole(organizationId, caller.userId, role);
    assert.equal((await read(token)) !== null, works, role);
  }
  await storage.members.remove(organizationId, caller.userId);
  assert.equal(await read(token), null);
});
