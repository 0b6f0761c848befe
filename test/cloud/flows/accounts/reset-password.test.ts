import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  requestPasswordReset,
  resetPassword,
} from '../../../../apps/cloud/src/flows/accounts/reset-password.ts';
import { OPERATOR_EMAIL } from '../../../../apps/cloud/src/flows/set-up-service.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'twelve lanterns over water';
const code = (expected: string) => (error: unknown) => error instanceof CodedError && error.code === expected;

test('of an account that has an address, the newest link counts, and one is sent in two minutes', async (t) => {
  const { deps, clock, addPerson, emailsTo } = await openAccountTestEnv(t);
  const { email } = await addPerson({ email: 'Ada@example.com' });
  await addPerson({ email: OPERATOR_EMAIL });
  const request = (to: string) => requestPasswordReset(deps, to, '192.0.2.1');
  for (const to of ['ada@example.com', 'unknown@example.com', OPERATOR_EMAIL]) await request(to);
  const tokens = async () => (await emailsTo(email)).map(({ token }) => token);
  assert.equal((await tokens()).length, 1);
  for (const to of ['unknown@example.com', OPERATOR_EMAIL]) assert.deepEqual(await emailsTo(to), []);
  const [first] = await emailsTo(email);
  assert.deepEqual([first?.subject, first?.kind], ['Choose a new password', 'reset_password']);
  assert.match(first?.text ?? '', /https:\/\/gateway\.example\.com\/dashboard\/reset-password#token=/);
  clock.advance(2 * MINUTE_MS - 1);
  await request(email);
  assert.equal((await tokens()).length, 1);
  clock.advance(1);
  await request(email);
  const [old, newest] = await tokens();
  const reset = (token: string) =>
    resetPassword({ ...deps, signUp: 'invitation' }, { token, password: NEW_PASSWORD });
  await assert.rejects(reset(old!), code('link_expired'));
  clock.advance(60 * MINUTE_MS - 1);
  await reset(newest!);
});

test('a link is good for an hour', async (t) => {
  const { deps, clock, addPerson, emailsTo } = await openAccountTestEnv(t);
  const { email } = await addPerson();
  await requestPasswordReset(deps, email, '192.0.2.1');
  const [{ token } = { token: '' }] = await emailsTo(email);
  clock.advance(60 * MINUTE_MS);
  await assert.rejects(
    resetPassword({ ...deps, signUp: 'open' }, { token, password: NEW_PASSWORD }),
    code('link_expired'),
  );
});

test('a reset ends sessions and known browsers, proves the address, is recorded, and its owner is notified', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes, emailsTo } = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await addPerson();
  const { knownToken } = await signIn(userId);
  await requestPasswordReset(deps, email, '192.0.2.1');
  const [{ token } = { token: '' }] = await emailsTo(email);
  const before = await storage.users.get(userId);
  clock.advance(1000);
  await resetPassword({ ...deps, signUp: 'open' }, { token, password: NEW_PASSWORD });
  const user = await storage.users.get(userId);
  assert.notEqual(user?.passwordHash, before?.passwordHash);
  assert.equal(user?.emailVerifiedAtMs, clock.now());
  assert.deepEqual(await storage.sessions.list(userId), []);
  assert.equal(await storage.knownBrowsers.isKnown(userId, knownToken, clock.now()), false);
  assert.deepEqual(await changes(organizationId), [
    { kind: 'password_reset', actor: userId, subject: userId, data: {} },
  ]);
  const [, notice, ...others] = await emailsTo(email);
  assert.deepEqual(
    [notice?.subject, notice?.kind, others],
    ['Your password was changed', 'security_notice', []],
  );
  assert.match(notice?.text ?? '', /dashboard\/forgot-password/);
  assert.equal((await storage.organizations.listOwned(userId)).length, 1);
});

test('an address that was verified keeps its time, and one that changed meanwhile is not proven', async (t) => {
  const { deps, storage, clock, addPerson, emailsTo } = await openAccountTestEnv(t);
  const { userId, email } = await addPerson();
  await storage.users.update(userId, { emailVerifiedAtMs: 5 });
  const request = async () => {
    await requestPasswordReset(deps, email, '192.0.2.1');
    return (await emailsTo(email)).at(-1)!.token;
  };
  const reset = (token: string) =>
    resetPassword({ ...deps, signUp: 'open' }, { token, password: NEW_PASSWORD });
  await reset(await request());
  assert.equal((await storage.users.get(userId))?.emailVerifiedAtMs, 5);
  clock.advance(2 * MINUTE_MS);
  const token = await request();
  await storage.users.update(userId, { email: 'other@example.com' });
  await assert.rejects(reset(token), code('link_expired'));
});

test('who gets a first password gets an organization of their own, if sign-up is open and they have none', async (t) => {
  const { deps, storage, emailsTo, addPerson } = await openAccountTestEnv(t);
  const reset = async (email: string, signUp: 'open' | 'invitation') => {
    await requestPasswordReset(deps, email, '192.0.2.1');
    const token = (await emailsTo(email)).at(-1)!.token;
    await resetPassword({ ...deps, signUp }, { token, password: NEW_PASSWORD });
    const user = await storage.users.findByEmail(email);
    return (await storage.organizations.listOwned(user!.id)).map(({ kind, name }) => [kind, name]);
  };
  await storage.users.insert({ email: 'first@example.com' });
  await storage.users.insert({ email: 'second@example.com' });
  await storage.users.insert({ email: 'third@example.com', passwordHash: 'broken' });
  assert.deepEqual(await reset('first@example.com', 'open'), [['personal', 'My organization']]);
  assert.deepEqual(await reset('second@example.com', 'invitation'), []);
  assert.deepEqual(await reset('third@example.com', 'open'), [], 'not the first password');
  const { email } = await addPerson({ passwordHash: null });
  assert.deepEqual(await reset(email, 'open'), [['team', 'Team']]);
});
