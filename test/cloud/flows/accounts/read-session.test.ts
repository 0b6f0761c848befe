import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANS } from '@csg/shared/contract';
import { readSession } from '../../../../apps/cloud/src/flows/accounts/read-session.ts';
import { startSession } from '../../../../apps/cloud/src/flows/accounts/start-session.ts';
import { BROWSER, openAccountTestEnv } from '../../../support/account-test-env.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

async function openSession(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { userId, email, organizationId } = await env.addPerson();
  const { token } = await env.signIn(userId);
  const read = (presented = token, address = BROWSER.address) =>
    readSession({ storage, plans: PLANS, clock }, presented, address);
  /** An organization of another person, with this one as a member. */
  async function join(role: 'admin' | 'member' = 'member') {
    const owner = await env.addPerson();
    await storage.members.add(owner.organizationId, userId, role);
    return owner.organizationId;
  }
  const signInBySso = async (id: string) =>
    await storage.transaction((repositories) => startSession(repositories, clock, userId, BROWSER, id, true));
  const sessions = () => storage.sessions.list(userId);
  return { ...env, userId, email, organizationId, token, read, join, signInBySso, sessions };
}

test('a session gives the person, their organization and what its plan allows', async (t) => {
  const { storage, clock, userId, email, organizationId, read, sessions } = await openSession(t);
  const [session] = await sessions();
  const person = {
    sessionId: session!.id,
    userId,
    email,
    name: 'Person',
    isEmailVerified: false,
    hasSecondFactor: false,
    ssoOrganizationId: null,
    csrfToken: session!.csrfToken,
    expiresAtMs: clock.now() + 7 * DAY_MS,
  };
  const membership = {
    organizationId,
    organizationName: 'Team',
    organizationKind: 'team',
    role: 'owner',
    lacksSecondFactor: false,
    lacksSso: false,
  };
  const account = { id: userId, planName: 'free', plan: PLANS.free, status: 'none', onDemand: true };
  assert.deepEqual(await read(), {
    signedIn: { ...person, membership: { ...membership, account } },
    newToken: null,
  });

  await storage.subscriptions.set(userId, { plan: 'scale', status: 'past_due', monthly: 5, onDemand: false });
  await storage.users.update(userId, { name: null, emailVerifiedAtMs: 1 });
  const scale = {
    ...{ id: userId, planName: 'scale', status: 'past_due', onDemand: false },
    plan: { ...PLANS.scale, monthly: 5 },
  };
  assert.deepEqual((await read())?.signedIn, {
    ...{ ...person, name: null, isEmailVerified: true },
    membership: { ...membership, account: scale },
  });
  assert.equal(await read('unknown'), null);
});

test('a session expires after eight hours without use', async (t) => {
  const { clock, read, sessions } = await openSession(t);
  clock.advance(8 * HOUR_MS - 1);
  assert.ok(await read());
  clock.advance(8 * HOUR_MS);
  assert.equal((await sessions()).length, 1);
  assert.equal(await read(), null);
  assert.deepEqual(await sessions(), [], 'it ends');
});

test('a session expires after seven days, even if in use', async (t) => {
  const { clock, token, read, sessions } = await openSession(t);
  const endMs = clock.now() + 7 * DAY_MS;
  let current = token;
  while (endMs - clock.now() > 7 * HOUR_MS) {
    clock.advance(7 * HOUR_MS);
    current = (await read(current))?.newToken ?? current;
  }
  clock.set(endMs - 1);
  assert.ok(await read(current));
  clock.set(endMs);
  assert.equal(await read(current), null);
  assert.deepEqual(await sessions(), []);
});

test('the use of a session is recorded once a minute, and each new address immediately', async (t) => {
  const { storage, clock, organizationId, userId, read, sessions } = await openSession(t);
  const startMs = clock.now();
  const seen = async () => {
    const [session] = await sessions();
    const member = await storage.members.get(organizationId, userId);
    assert.equal(member?.lastSeenAtMs, session!.lastSeenAtMs);
    return [session!.lastSeenAtMs - startMs, session!.address];
  };
  clock.advance(MINUTE_MS - 1);
  await read();
  assert.deepEqual(await seen(), [0, BROWSER.address]);
  clock.advance(1);
  await read();
  assert.deepEqual(await seen(), [MINUTE_MS, BROWSER.address]);
  clock.advance(1);
  await read(undefined, '192.0.2.9');
  assert.deepEqual(await seen(), [MINUTE_MS + 1, '192.0.2.9']);
});

test('the token changes once an hour; the old one is accepted until half a minute after the new one is used', async (t) => {
  const { clock, token, read } = await openSession(t);
  clock.advance(HOUR_MS - 1);
  assert.equal((await read())?.newToken, null);
  clock.advance(1);
  const rotated = (await read())!.newToken!;
  assert.notEqual(rotated, token);
  assert.equal((await read())?.newToken, null, 'one new token');
  clock.advance(20_000);
  assert.equal((await read(rotated))?.newToken, null);
  clock.advance(15_000);
  assert.equal((await read())?.newToken, null, 'the browser has the new one');
  assert.equal((await read(rotated))?.newToken, null, 'a second use extends nothing');
  clock.advance(14_999);
  assert.ok(await read());
  clock.advance(1);
  assert.equal(await read(), null);
  assert.ok(await read(rotated));
  clock.advance(HOUR_MS - 50_001);
  assert.equal((await read(rotated))?.newToken, null);
  clock.advance(1);
  assert.ok((await read(rotated))?.newToken, 'an hour after the last change');
});

test('a new token that was lost on its way is replaced after half a minute', async (t) => {
  const { clock, read } = await openSession(t);
  clock.advance(HOUR_MS);
  const lost = (await read())!.newToken!;
  clock.advance(29_999);
  assert.equal((await read())?.newToken, null);
  clock.advance(1);
  const next = (await read())?.newToken;
  assert.ok(next);
  assert.equal(await read(lost), null);
  assert.ok(await read(next));
});

test('two concurrent requests get one new token', async (t) => {
  const { clock, read } = await openSession(t);
  clock.advance(HOUR_MS);
  const both = await Promise.all([read(), read()]);
  assert.equal(both.filter((one) => one!.newToken !== null).length, 1);
});

test('one who left the selected organization continues in their own', async (t) => {
  const { storage, userId, organizationId, read, join, sessions } = await openSession(t);
  const other = await join();
  const [session] = await sessions();
  await storage.sessions.select(session!.id, other);
  assert.equal((await read())?.signedIn.membership?.organizationId, other);
  await storage.members.remove(other, userId);
  const membership = (await read())?.signedIn.membership;
  assert.deepEqual([membership?.organizationId, membership?.role], [organizationId, 'owner']);
  assert.equal((await sessions())[0]?.organizationId, organizationId);
});

test('one without an organization stays signed in', async (t) => {
  const { storage, userId, organizationId, read, sessions } = await openSession(t);
  await storage.members.remove(organizationId, userId);
  assert.equal((await read())?.signedIn.membership, null);
  assert.equal((await sessions()).length, 1);
});

test('a session by single sign-on ends with the membership', async (t) => {
  const { storage, userId, read, join, signInBySso, sessions } = await openSession(t);
  const other = await join();
  const { token } = await signInBySso(other);
  const { signedIn } = (await read(token))!;
  assert.deepEqual([signedIn.ssoOrganizationId, signedIn.membership?.organizationId], [other, other]);
  await storage.members.remove(other, userId);
  assert.equal(await read(token), null);
  assert.deepEqual(
    (await sessions()).map(({ ssoOrganizationId }) => ssoOrganizationId),
    [null],
    'the other session continues',
  );
});

test('an organization can require a second factor, which single sign-on replaces', async (t) => {
  const { storage, userId, organizationId, read, join, signInBySso } = await openSession(t);
  const lacks = async (token?: string) => {
    const { signedIn } = (await read(token))!;
    return [signedIn.hasSecondFactor, signedIn.membership?.lacksSecondFactor];
  };
  assert.deepEqual(await lacks(), [false, false]);
  await storage.organizations.setRequiresSecondFactor(organizationId, true);
  assert.deepEqual(await lacks(), [false, true]);
  const other = await join();
  await storage.organizations.setRequiresSecondFactor(other, true);
  const { token } = await signInBySso(other);
  assert.deepEqual(await lacks(token), [false, false]);
  await storage.secondFactors.begin(userId, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
  assert.deepEqual(await lacks(), [false, true], 'not before it is confirmed');
  await storage.secondFactors.confirm(userId, 1);
  assert.deepEqual(await lacks(), [true, false]);
});

test('an organization can require single sign-on of everyone but its owner', async (t) => {
  const { storage, organizationId, read, join, signInBySso, sessions } = await openSession(t);
  const lacks = async (token?: string) => (await read(token))?.signedIn.membership?.lacksSso;
  await storage.organizations.setSsoOnly(organizationId, true);
  assert.equal(await lacks(), false, 'an owner');
  const other = await join('admin');
  await storage.sessions.select((await sessions())[0]!.id, other);
  assert.equal(await lacks(), false, 'not required');
  await storage.organizations.setSsoOnly(other, true);
  assert.equal(await lacks(), true);
  assert.equal(await lacks((await signInBySso(other)).token), false);
});
