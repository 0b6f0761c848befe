import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { signIn } from '../../../../apps/cloud/src/flows/accounts/sign-in.ts';
import { BROWSER, openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';

const SECRET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const code =
  (expected: string, fields: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError, String(error));
    assert.deepEqual([error.code, error.fields], [expected, fields]);
    return true;
  };

async function openPerson(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { userId, email, organizationId } = await env.addPerson();
  const lines: unknown[] = [];
  const log = { warn: (fields: object) => void lines.push(fields) };
  const enter = (change: { email?: string; password?: string; code?: string } = {}, browser = BROWSER) =>
    signIn({ ...env.deps, log }, { email, password: PASSWORD, ...change }, browser);
  const join = async (ssoOnly: boolean) => {
    const other = await env.addPerson();
    await storage.members.add(other.organizationId, userId, 'admin');
    await storage.organizations.setSsoOnly(other.organizationId, ssoOnly);
    return other.organizationId;
  };
  const sessions = () => storage.sessions.list(userId);
  return { ...env, userId, email, organizationId, lines, enter, join, sessions, clock };
}

test('the right password gives a session, which is recorded, and a token of the browser', async (t) => {
  const { storage, clock, userId, email, organizationId, lines, enter, sessions } = await openPerson(t);
  const { token, knownToken } = await enter({ email: email.toUpperCase() });
  const [session] = await sessions();
  assert.equal((await storage.sessions.find(token, clock.now()))?.id, session?.id);
  assert.deepEqual([session?.organizationId, session?.address], [organizationId, BROWSER.address]);
  assert.equal(await storage.knownBrowsers.isKnown(userId, knownToken!, clock.now()), true);
  const { rows } = await storage.audit.page(organizationId, { limit: 9 });
  assert.deepEqual(
    rows.map(({ kind, actor, subject, data }) => [kind, actor, subject, data]),
    [['signed_in', userId, session?.id, {}]],
  );
  assert.deepEqual(lines, []);
});

test('a browser is known by the token of this person until it expires', async (t) => {
  const { clock, addPerson, signIn: signInAs, enter } = await openPerson(t);
  const { knownToken } = await enter();
  const again = (token: string | null) => enter({}, { ...BROWSER, knownToken: token });
  assert.equal((await again(knownToken)).knownToken, null, 'no second token');
  const other = await signInAs((await addPerson()).userId);
  assert.ok((await again(other.knownToken)).knownToken);
  clock.advance(180 * 86_400_000 - 1);
  assert.equal((await again(knownToken)).knownToken, null);
  clock.advance(1);
  assert.ok((await again(knownToken)).knownToken);
});

test('a wrong password, an unknown address and an account without a password are rejected alike', async (t) => {
  const { userId, addPerson, lines, enter, sessions } = await openPerson(t);
  const unset = await addPerson({ passwordHash: null });
  const { address } = BROWSER;
  for (const [change, user_id] of [
    [{ password: `${PASSWORD}.` }, userId],
    [{ email: 'unknown@example.com' }, null],
    [{ email: unset.email }, unset.userId],
  ] as const) {
    await assert.rejects(enter(change), code('wrong_credentials'));
    assert.deepEqual(lines.pop(), { code: 'wrong_credentials', user_id, address });
  }
  assert.deepEqual([await sessions(), lines], [[], []]);
});

test('a person is locked out after ten wrong passwords, but not in a browser that is known', async (t) => {
  const { userId, lines, enter } = await openPerson(t);
  const { knownToken } = await enter();
  for (let n = 0; n < 10; n++) await assert.rejects(enter({ password: 'wrong' }), code('wrong_credentials'));
  await assert.rejects(enter(), code('rate_limit_exceeded', { retry_after: 60 }));
  assert.deepEqual(lines.at(-1), {
    ...{ code: 'rate_limit_exceeded', user_id: userId, address: BROWSER.address },
  });
  assert.ok(await enter({}, { ...BROWSER, knownToken }));
});

test('a confirmed second factor is required, and its code works once', async (t) => {
  const { storage, clock, userId, lines, enter, sessions } = await openPerson(t);
  await storage.secondFactors.begin(userId, SECRET);
  assert.ok(await enter(), 'not before it is confirmed');
  await storage.secondFactors.confirm(userId, clock.now());
  await assert.rejects(enter(), code('second_factor_required'));
  await assert.rejects(enter({ password: 'wrong' }), code('wrong_credentials'));
  await assert.rejects(enter({ code: '' }), code('wrong_code'));
  const right = oneTimeCode(SECRET, clock.now());
  await assert.rejects(enter({ password: 'wrong', code: right }), code('wrong_credentials'));
  assert.equal((await sessions()).length, 1);
  assert.ok(await enter({ code: right }));
  await assert.rejects(enter({ code: right }), code('wrong_code'));
  assert.deepEqual([(await sessions()).length, lines.length], [2, 5]);
});

test('one whose organizations all require single sign-on cannot use the password', async (t) => {
  const { storage, userId, organizationId, lines, enter, join, sessions } = await openPerson(t);
  await storage.organizations.setSsoOnly(organizationId, true);
  const first = await join(true);
  assert.ok(await enter(), 'an owner can');
  await storage.members.remove(organizationId, userId);
  await assert.rejects(enter(), code('sso_required', { organization_id: first }));
  assert.deepEqual(lines, [{ code: 'sso_required', user_id: userId, address: BROWSER.address }]);
  assert.equal((await sessions()).length, 1);
  await join(false);
  assert.ok(await enter(), 'another organization does not require it');
});

test('one without an organization can use the password', async (t) => {
  const { storage, userId, organizationId, enter, sessions } = await openPerson(t);
  await storage.members.remove(organizationId, userId);
  assert.ok(await enter());
  assert.equal((await sessions())[0]?.organizationId, null);
});

test('the factor is proven before a person learns that single sign-on is required', async (t) => {
  const { storage, clock, userId, organizationId, enter, join } = await openPerson(t);
  await join(true);
  await storage.members.remove(organizationId, userId);
  await storage.secondFactors.begin(userId, SECRET);
  await storage.secondFactors.confirm(userId, clock.now());
  await assert.rejects(enter(), code('second_factor_required'));
});

test('an error that is no rejection is passed on without a line in the log', async (t) => {
  const { storage, lines, enter } = await openPerson(t);
  await storage.close();
  await assert.rejects(enter(), (error) => !(error instanceof CodedError));
  assert.deepEqual(lines, []);
});
