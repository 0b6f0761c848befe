import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSession } from '../../../../apps/cloud/src/flows/accounts/start-session.ts';
import { BROWSER, openAccountTestEnv } from '../../../support/account-test-env.ts';

const DAY_MS = 86_400_000;

async function openPerson(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { userId, organizationId } = await env.addPerson();
  const { organizationId: other } = await env.addPerson();
  await storage.members.add(other, userId, 'member');
  const start = (browser = BROWSER, ...more: [chosenId?: string, isBySso?: boolean]) =>
    storage.transaction((repositories) => startSession(repositories, clock, userId, browser, ...more));
  const signIns = async (id: string) =>
    (await storage.audit.page(id, { limit: 200 })).rows.map(({ kind, actor, subject, data }) => [
      ...[kind, actor, subject, data],
    ]);
  const sessionOf = async (token: string) => (await storage.sessions.find(token, clock.now()))!;
  return { ...env, userId, organizationId, other, start, signIns, sessionOf };
}

test('a sign-in opens the home organization for seven days, and is recorded there', async (t) => {
  const { clock, userId, organizationId, other, start, signIns, sessionOf } = await openPerson(t);
  const { token } = await start({ ...BROWSER, userAgent: 'é'.repeat(301) });
  const session = await sessionOf(token);
  assert.deepEqual(
    [session.userId, session.organizationId, session.ssoOrganizationId, session.address],
    [userId, organizationId, null, BROWSER.address],
  );
  assert.equal(session.userAgent, 'é'.repeat(300));
  assert.equal(session.expiresAtMs, clock.now() + 7 * DAY_MS);
  assert.deepEqual(await signIns(organizationId), [['signed_in', userId, session.id, {}]]);
  assert.deepEqual(await signIns(other), []);
});

test('the organization that the person chose last is opened, or the given one', async (t) => {
  const { storage, userId, organizationId, other, start, signIns, sessionOf } = await openPerson(t);
  await storage.members.choose(other, userId);
  const chosen = await sessionOf((await start()).token);
  assert.equal(chosen.organizationId, other);
  const given = await sessionOf((await start(BROWSER, organizationId)).token);
  assert.deepEqual([given.organizationId, given.ssoOrganizationId], [organizationId, null]);
  assert.deepEqual(await signIns(organizationId), [['signed_in', userId, given.id, {}]]);
  assert.deepEqual(await signIns(other), [['signed_in', userId, chosen.id, {}]]);
});

test('a session by single sign-on is bound to the organization, and recorded as such', async (t) => {
  const { userId, other, start, signIns, sessionOf } = await openPerson(t);
  const session = await sessionOf((await start(BROWSER, other, true)).token);
  assert.deepEqual([session.organizationId, session.ssoOrganizationId], [other, other]);
  assert.deepEqual(await signIns(other), [['signed_in', userId, session.id, { by: 'sso' }]]);
});

test('one without an organization gets a session in none', async (t) => {
  const { storage, userId, organizationId, other, start, signIns, sessionOf } = await openPerson(t);
  for (const id of [organizationId, other]) await storage.members.remove(id, userId);
  for (const isBySso of [false, true]) {
    const session = await sessionOf((await start(BROWSER, undefined, isBySso)).token);
    assert.deepEqual([session.organizationId, session.ssoOrganizationId], [null, null]);
  }
  for (const id of [organizationId, other]) assert.deepEqual(await signIns(id), []);
});

test('a browser is known for half a year, for this person only, and gets one token', async (t) => {
  const { storage, clock, userId, addPerson, start } = await openPerson(t);
  for (const browser of [BROWSER, { ...BROWSER, isKnown: false }]) {
    const { knownToken } = await start(browser);
    const isKnown = (id: string, afterMs: number) =>
      storage.knownBrowsers.isKnown(id, knownToken!, clock.now() + afterMs);
    assert.deepEqual(
      [await isKnown(userId, 180 * DAY_MS - 1), await isKnown(userId, 180 * DAY_MS)],
      [true, false],
    );
    assert.equal(await isKnown((await addPerson()).userId, 0), false);
  }
  assert.equal((await start({ ...BROWSER, isKnown: true })).knownToken, null);
});
