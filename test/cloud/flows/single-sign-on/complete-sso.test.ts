import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { completeSso } from '../../../../apps/cloud/src/flows/single-sign-on/complete-sso.ts';
import type { IdentityProviderError } from '../../../../apps/cloud/src/single-sign-on/identity-provider-error.ts';
import type { Role } from '../../../../apps/cloud/src/storage/storage.ts';
import { openSsoTestEnv } from '../../../support/sso-test-env.ts';

const EMAIL = 'ada@corp.example';
const ADA = { email: EMAIL, email_verified: true };
const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof CodedError, String(error));
  assert.equal(error.code, expected);
  return true;
};
const refused = code('sso_refused');

type Env = Awaited<ReturnType<typeof openSsoTestEnv>>;
const issuedBy = ({ identityProvider }: Env) => identityProvider.issuer;
const log = (env: Env) => env.changes(env.organizationId);
const findUser = (env: Env, email = EMAIL) => env.storage.users.findByEmail(email);
const identitiesOf = async (env: Env, userId: string) =>
  (await env.storage.singleSignOn.listIdentities(userId)).map(({ issuer, subject }) => [issuer, subject]);

/** A person of the organization's directory, who has no password and never signed in. */
async function addFromDirectory(env: Env, organizationId = env.organizationId) {
  const { storage } = env;
  const user = await storage.users.insert({ email: EMAIL });
  await storage.members.add(organizationId, user.id, 'viewer');
  await storage.directory.describe(organizationId, user.id, { externalId: 'x' });
  await storage.directory.noteMadeAccount(organizationId, user.id);
  return user.id;
}

test('a new person becomes a viewer with an account, and a session of that organization alone', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, clock, organizationId, lines } = env;
  const { session } = await env.enter('ada', { ...ADA, name: 'A'.repeat(101) });
  const user = (await findUser(env))!;
  assert.deepEqual(
    [user.email, user.name, user.passwordHash, user.emailVerifiedAtMs],
    [EMAIL, 'A'.repeat(100), null, clock.now()],
  );
  assert.equal((await storage.subscriptions.get(user.id))?.plan, 'free');
  assert.deepEqual(await identitiesOf(env, user.id), [[issuedBy(env), 'ada']]);
  const organizations = await storage.organizations.listForUser(user.id);
  assert.deepEqual(
    organizations.map(({ id, role }) => [id, role]),
    [[organizationId, 'viewer']],
  );
  const found = await storage.sessions.find(session!.token, clock.now());
  assert.deepEqual(
    [found?.userId, found?.organizationId, found?.ssoOrganizationId, session!.knownToken],
    [user.id, organizationId, organizationId, null],
  );
  const added = { kind: 'member_added', actor: user.id, subject: user.id };
  assert.deepEqual(await log(env), [{ ...added, data: { role: 'viewer', issuer: issuedBy(env) } }]);
  const [signedIn] = (await storage.audit.page(organizationId, { limit: 1 })).rows;
  assert.deepEqual([signedIn?.kind, signedIn?.data], ['signed_in', { by: 'sso' }]);

  const again = await env.enter('ada', { ...ADA, email: 'renamed@corp.example', name: 'Other' });
  const second = await storage.sessions.find(again.session!.token, clock.now());
  assert.deepEqual([second?.userId, second?.email, second?.name], [user.id, EMAIL, 'A'.repeat(100)]);
  assert.deepEqual([(await log(env)).length, lines], [1, []]);
});

test('a name that is absent or no text is left out', async (t) => {
  const env = await openSsoTestEnv(t);
  await env.enter('ada', ADA);
  await env.enter('bob', { ...ADA, email: 'bob@corp.example', name: 5 });
  for (const email of [EMAIL, 'bob@corp.example']) assert.equal((await findUser(env, email))?.name, null);
});

test('the claim sets the strongest role it names, at each sign-in, and changes are recorded', async (t) => {
  const env = await openSsoTestEnv(t);
  await env.setProvider({ roleClaim: 'gateway_role' });
  const data: unknown[] = [];
  let was: Role | null = null;
  for (const [claim, role] of [
    ['member', 'member'],
    [['viewer', 'auditor', 'admin'], 'admin'],
    ['admin', 'admin'],
    ['auditor', 'auditor'],
    [['x', 'viewer', 'member'], 'member'],
    ['owner', 'viewer'],
    [['admin'], 'admin'],
    [undefined, 'viewer'],
  ] as const) {
    await env.enter('ada', { ...ADA, gateway_role: claim });
    const { id } = (await findUser(env))!;
    assert.equal((await env.storage.members.get(env.organizationId, id))?.role, role, String(claim));
    if (was === null) data.push(['member_added', { role, issuer: issuedBy(env) }]);
    else if (was !== role) data.push(['member_role_changed', { was, role, issuer: issuedBy(env) }]);
    was = role;
  }
  const { id } = (await findUser(env))!;
  const rows = await log(env);
  assert.deepEqual(
    rows.map(({ kind, data }) => [kind, data]),
    data,
  );
  assert.ok(rows.every(({ actor, subject }) => actor === id && subject === id));
});

test('without a claim roles stay as the members page set them, and owners keep theirs in any case', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  await env.enter('ada', { ...ADA, gateway_role: 'member' });
  const { id } = (await findUser(env))!;
  const role = async () => (await storage.members.get(organizationId, id))?.role;
  assert.equal(await role(), 'viewer');
  await storage.members.setRole(organizationId, id, 'admin');
  await env.enter('ada', ADA);
  assert.equal(await role(), 'admin');
  await storage.members.setRole(organizationId, id, 'owner');
  await env.setProvider({ roleClaim: 'gateway_role' });
  await env.enter('ada', { ...ADA, gateway_role: 'member' });
  assert.equal(await role(), 'owner');
  assert.equal((await log(env)).length, 1);
});

test('a callback counts once, in time, in the browser that began, and while the provider is set', async (t) => {
  const env = await openSsoTestEnv(t);
  const { deps, storage, clock, organizationId, lines } = env;
  const callback = await env.begin('ada', ADA);
  await assert.rejects(completeSso(deps, { ...callback, secret: 'of another browser' }), refused);
  await assert.rejects(completeSso(deps, { ...callback, state: 'unknown' }), refused);
  await completeSso(deps, callback);
  await assert.rejects(completeSso(deps, callback), refused);
  const late = await env.begin('ada', ADA);
  clock.advance(15 * 60_000);
  await assert.rejects(completeSso(deps, late), refused);
  const removed = await env.begin('ada', ADA);
  await storage.singleSignOn.removeProvider(organizationId);
  await assert.rejects(completeSso(deps, removed), refused);
  assert.deepEqual(lines, []);
});

test('a provider that rejects the sign-in, or is down, gives no session, and the cause is logged', async (t) => {
  const env = await openSsoTestEnv(t);
  const { deps, identityProvider, organizationId, lines } = env;
  const denied = await env.begin('ada', ADA);
  denied.url.searchParams.delete('code');
  denied.url.searchParams.set('error', 'access_denied');
  await assert.rejects(completeSso(deps, denied), refused);
  const callback = await env.begin('ada', ADA);
  identityProvider.override = (_request, response) => response.writeHead(500).end();
  await assert.rejects(completeSso(deps, callback), code('sso_unavailable'));
  assert.deepEqual(
    lines.map(({ organization_id, err }) => [organization_id, (err as IdentityProviderError).kind]),
    [
      [organizationId, 'refused'],
      [organizationId, 'unreachable'],
    ],
  );
  assert.equal(await findUser(env), null);
});

test('only verified addresses of the domains are accepted, up to 254 characters', async (t) => {
  const env = await openSsoTestEnv(t);
  const sized = (length: number) => `${'a'.repeat(length - '@corp.example'.length)}@corp.example`;
  for (const claims of [
    {},
    { ...ADA, email: 5 },
    { ...ADA, email: '@corp.example' },
    { ...ADA, email: 'a b@corp.example' },
    { ...ADA, email: 'a@b@corp.example' },
    { ...ADA, email: 'corp.example' },
    { ...ADA, email: sized(255) },
    { ...ADA, email: 'ada@sub.corp.example' },
    { email: EMAIL },
    { ...ADA, email_verified: false },
    { ...ADA, email_verified: 'false' },
    { ...ADA, email_verified: 1 },
  ]) {
    await assert.rejects(env.enter('ada', claims), refused, JSON.stringify(claims));
  }
  assert.deepEqual(await log(env), []);
  await env.enter('long', { ...ADA, email: sized(254) });
  await env.enter('case', { ...ADA, email: 'Case@CORP.example' });
  await env.enter('text', { email: 'text@corp.example', email_verified: 'True' });
  assert.equal((await log(env)).length, 3);
});

test('with trust in a tenant, an address counts unless the provider calls it unverified', async (t) => {
  const env = await openSsoTestEnv(t);
  await env.setProvider({ emailTrust: 'tenant' });
  const flags = [
    {},
    { email_verified: true },
    { xms_edov: true },
    { xms_edov: '1' },
    { email_verified: 'true' },
  ];
  for (const [index, claims] of flags.entries()) {
    await env.enter(`ok-${index}`, { email: `ok-${index}@corp.example`, ...claims });
  }
  assert.equal((await log(env)).length, flags.length);
  for (const claims of [
    { email_verified: false },
    { email_verified: 'false' },
    { email_verified: 'False' },
    { xms_edov: false },
    { xms_edov: 'false' },
    { xms_edov: 0 },
    { xms_edov: '0' },
    { email_verified: true, xms_edov: false },
    { email: 'ada@elsewhere.example' },
  ]) {
    await assert.rejects(env.enter('ada', { email: EMAIL, ...claims }), refused, JSON.stringify(claims));
  }
  assert.equal((await log(env)).length, flags.length);
});

test('an address never opens an account that exists', async (t) => {
  const env = await openSsoTestEnv(t);
  const { userId } = await env.addPerson({ email: EMAIL, passwordHash: null });
  await assert.rejects(env.enter('ada', ADA), refused);
  await env.storage.members.add(env.organizationId, userId, 'member');
  await assert.rejects(env.enter('ada', ADA), refused, 'a member whom no directory created');
  assert.deepEqual([await identitiesOf(env, userId), await log(env)], [[], []]);
});

test('a person whom the directory created signs in to that account, in their role', async (t) => {
  const env = await openSsoTestEnv(t);
  const userId = await addFromDirectory(env);
  const { session } = await env.enter('ada', ADA);
  const found = await env.storage.sessions.find(session!.token, env.clock.now());
  assert.equal(found?.userId, userId);
  assert.deepEqual(await identitiesOf(env, userId), [[issuedBy(env), 'ada']]);
  assert.deepEqual(await log(env), []);
  await assert.rejects(env.enter('another', ADA), refused, 'the account was used');
});

test('a directory account with a password, or of another organization, is not opened', async (t) => {
  for (const own of [true, false]) {
    const env = await openSsoTestEnv(t);
    const elsewhere = (await env.addPerson()).organizationId;
    const userId = await addFromDirectory(env, own ? env.organizationId : elsewhere);
    if (own) await env.storage.users.update(userId, { passwordHash: 'set' });
    await assert.rejects(env.enter('ada', ADA), refused);
    assert.deepEqual(await identitiesOf(env, userId), []);
  }
});

test('a person whom the directory deactivated is not admitted, and nothing is linked', async (t) => {
  const env = await openSsoTestEnv(t);
  const userId = await addFromDirectory(env);
  await env.storage.members.remove(env.organizationId, userId);
  await assert.rejects(env.enter('ada', ADA), refused);
  assert.deepEqual([await identitiesOf(env, userId), await log(env)], [[], []]);
});

test('a known person who is no member any more is admitted again', async (t) => {
  const env = await openSsoTestEnv(t);
  await env.enter('ada', ADA);
  const { id } = (await findUser(env))!;
  await env.storage.members.remove(env.organizationId, id);
  await env.enter('ada', ADA);
  assert.deepEqual(
    (await log(env)).map(({ kind }) => kind),
    ['member_added', 'member_added'],
  );
});

test('a signed-in member links their account once, and keeps their session and role', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  await env.setProvider({ roleClaim: 'gateway_role' });
  const { userId } = await env.addPerson();
  await storage.members.add(organizationId, userId, 'viewer');
  const { person } = await env.signIn(userId);
  const claims = { ...ADA, gateway_role: 'admin' };
  assert.deepEqual(await env.enter('ada', claims, person), { session: null });
  assert.deepEqual(await env.enter('ada', claims, person), { session: null });
  assert.deepEqual(await identitiesOf(env, userId), [[issuedBy(env), 'ada']]);
  const linked = { kind: 'sso_linked', actor: userId, subject: userId, data: { issuer: issuedBy(env) } };
  assert.deepEqual(await log(env), [linked]);
  const [session, ...others] = await storage.sessions.list(userId);
  assert.deepEqual([session?.id, session?.ssoOrganizationId, others], [person.sessionId, null, []]);
  assert.equal((await storage.members.get(organizationId, userId))?.role, 'viewer');
  assert.equal(await findUser(env), null);
});

test('an identity is linked to one account, by a session that has not ended', async (t) => {
  const env = await openSsoTestEnv(t);
  const { deps, storage, organizationId } = env;
  await env.enter('ada', ADA);
  const { userId } = await env.addPerson();
  await storage.members.add(organizationId, userId, 'viewer');
  const { person } = await env.signIn(userId);
  await assert.rejects(env.enter('ada', ADA, person), refused);
  const callback = await env.begin('bob', { ...ADA, email: 'bob@corp.example' }, person);
  await storage.sessions.end(userId, person.sessionId);
  await assert.rejects(completeSso(deps, callback), refused);
  assert.deepEqual([await identitiesOf(env, userId), (await log(env)).length], [[], 1]);
});

test('an error of storage is passed on as it is', async (t) => {
  const env = await openSsoTestEnv(t);
  const { deps, storage } = env;
  const callback = await env.begin('ada', ADA);
  const identityProviders: typeof deps.identityProviders = {
    ...deps.identityProviders,
    // Storage goes away while the provider is asked.
    async redeem(...input) {
      const identity = await deps.identityProviders.redeem(...input);
      await storage.close();
      return identity;
    },
  };
  await assert.rejects(
    completeSso({ ...deps, identityProviders }, callback),
    (error) => !(error instanceof CodedError),
  );
});
