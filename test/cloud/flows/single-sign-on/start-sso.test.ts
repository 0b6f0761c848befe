import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { startSso, toSsoError } from '../../../../apps/cloud/src/flows/single-sign-on/start-sso.ts';
import { IdentityProviderError } from '../../../../apps/cloud/src/single-sign-on/identity-provider-error.ts';
import { CLIENT_ID } from '../../../support/identity-provider.ts';
import { BROWSER_SECRET, openSsoTestEnv } from '../../../support/sso-test-env.ts';

const MINUTE_MS = 60_000;
const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof CodedError, String(error));
  assert.equal(error.code, expected);
  return true;
};

test('a sign-in leads to the page of the provider, and this browser has a quarter of an hour', async (t) => {
  const { deps, storage, clock, identityProvider, organizationId, lines } = await openSsoTestEnv(t);
  const start = async (change: object) => {
    const url = await startSso(deps, { browser: BROWSER_SECRET, linked: null, ...change });
    return { url, state: url.searchParams.get('state')! };
  };
  const take = (state: string, afterMs: number, browser = BROWSER_SECRET) =>
    storage.singleSignOn.take(state, browser, clock.now() + afterMs);
  const { url, state } = await start({ organization: organizationId });
  assert.equal(url.origin, identityProvider.issuer);
  const parameter = (name: string) => url.searchParams.get(name);
  assert.deepEqual(
    [parameter('client_id'), parameter('redirect_uri'), parameter('scope')],
    [CLIENT_ID, deps.links.ssoCallback(), 'openid email profile'],
  );
  assert.equal(await take(state, 0, 'another browser'), null);
  assert.equal(await take(state, 15 * MINUTE_MS), null);
  const taken = await take(state, 15 * MINUTE_MS - 1);
  assert.deepEqual([taken?.organizationId, taken?.linkSessionId], [organizationId, null]);
  assert.equal(taken?.secrets.nonce, parameter('nonce'));
  const byEmail = await start({ email: 'a@corp.example' });
  assert.equal((await take(byEmail.state, 0))?.organizationId, organizationId);
  await assert.rejects(start({ email: 'a@other.example' }), code('not_found'));
  assert.deepEqual(lines, []);
});

test('a member links their account in the organization they selected, or a given one of theirs', async (t) => {
  const { deps, storage, clock, organizationId, addPerson, signIn } = await openSsoTestEnv(t);
  const { userId, organizationId: ownId } = await addPerson();
  const { person } = await signIn(userId);
  const start = async (organization?: string, linked = person) => {
    const url = await startSso(deps, { organization, browser: BROWSER_SECRET, linked });
    return await storage.singleSignOn.take(url.searchParams.get('state')!, BROWSER_SECRET, clock.now());
  };
  await assert.rejects(start(), code('not_found'), 'their own has no provider');
  await assert.rejects(start(organizationId), code('not_found'), 'they are no member there');
  await storage.members.add(organizationId, userId, 'viewer');
  const given = await start(organizationId);
  assert.deepEqual([given?.organizationId, given?.linkSessionId], [organizationId, person.sessionId]);
  const own = (await storage.singleSignOn.getProvider(organizationId))!;
  await storage.singleSignOn.setProvider(ownId, own);
  const selected = await start();
  assert.deepEqual([selected?.organizationId, selected?.linkSessionId], [ownId, person.sessionId]);
  await assert.rejects(start(undefined, { ...person, membership: null }), code('not_found'));
});

test('a provider that is down, or publishes something else, is unavailable, and the cause is logged', async (t) => {
  const { deps, identityProvider, organizationId, lines } = await openSsoTestEnv(t);
  const start = () => startSso(deps, { organization: organizationId, browser: BROWSER_SECRET, linked: null });
  identityProvider.override = (_request, response) => response.socket?.destroy();
  await assert.rejects(start(), code('sso_unavailable'));
  identityProvider.override = (_request, response) => {
    const issuer = 'https://accounts.example.com';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
  };
  await assert.rejects(start(), code('sso_unavailable'));
  const kinds = lines.map(({ organization_id, err }) => [
    organization_id,
    (err as IdentityProviderError).kind,
  ]);
  assert.deepEqual(kinds, [
    [organizationId, 'unreachable'],
    [organizationId, 'refused'],
  ]);
});

test('errors of the provider get a code, and other errors stay what they are', () => {
  const lines: object[] = [];
  const log = { warn: (fields: object) => void lines.push(fields) };
  const other = new TypeError('of the program');
  assert.equal(toSsoError({ log }, 'org_1', other, 'sso_refused'), other);
  assert.deepEqual(lines, []);
  for (const [kind, whenRefused, expected] of [
    ['unreachable', 'sso_refused', 'sso_unavailable'],
    ['unreachable', 'sso_unavailable', 'sso_unavailable'],
    ['refused', 'sso_refused', 'sso_refused'],
    ['refused', 'sso_unavailable', 'sso_unavailable'],
  ] as const) {
    const err = new IdentityProviderError(kind, 'inner.example.com did not answer');
    const error = toSsoError({ log }, 'org_1', err, whenRefused) as CodedError;
    assert.equal(error.code, expected);
    assert.ok(!error.message.includes('inner.example.com'));
    assert.deepEqual(lines.pop(), { organization_id: 'org_1', err });
  }
});
