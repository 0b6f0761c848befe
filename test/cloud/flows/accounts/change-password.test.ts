import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidationError } from '@csg/shared/contract';
import { changePassword } from '../../../../apps/cloud/src/flows/accounts/change-password.ts';
import { requestPasswordReset } from '../../../../apps/cloud/src/flows/accounts/reset-password.ts';
import { BROWSER, openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

const NEW_PASSWORD = 'twelve lanterns over water';

test('a change leaves one new session, no known browser, no link to reset, a record and an email', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes, emailsTo } = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await addPerson();
  await signIn(userId);
  const { person, knownToken } = await signIn(userId);
  await requestPasswordReset(deps, email, '192.0.2.1');
  const [{ token } = { token: '' }] = await emailsTo(email);
  clock.advance(1);
  const before = await storage.users.get(userId);
  const input = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const fresh = await changePassword(deps, person, input, BROWSER);
  assert.notEqual((await storage.users.get(userId))?.passwordHash, before?.passwordHash);
  assert.equal(await storage.accountLinks.spend('reset_password', token, clock.now()), null);
  const [session, ...others] = await storage.sessions.list(userId);
  assert.deepEqual([session?.organizationId, others], [organizationId, []]);
  assert.equal((await storage.sessions.find(fresh.token, clock.now()))?.id, session?.id);
  assert.equal(await storage.knownBrowsers.isKnown(userId, knownToken, clock.now()), false);
  assert.equal(await storage.knownBrowsers.isKnown(userId, fresh.knownToken!, clock.now()), true);
  assert.deepEqual(await changes(organizationId), [
    { kind: 'password_changed', actor: userId, subject: userId, data: {} },
  ]);
  const [, notice] = await emailsTo(email);
  assert.deepEqual([notice?.subject, notice?.kind], ['Your password was changed', 'security_notice']);
});

test('a wrong password and one that is like the name or the address change nothing', async (t) => {
  const { deps, storage, addPerson, signIn, changes } = await openAccountTestEnv(t);
  const { userId, organizationId } = await addPerson({ email: 'maximiliane.throckmorton@example.com' });
  await storage.users.update(userId, { name: 'Wilhelmina Featherstonehaugh' });
  const { person } = await signIn(userId);
  const field = (name: string) => (error: unknown) =>
    error instanceof ValidationError && error.detail[0]?.loc.join() === `body,${name}`;
  for (const [current_password, new_password, name] of [
    ['wrong', NEW_PASSWORD, 'current_password'],
    [PASSWORD, 'maximiliane throckmorton', 'new_password'],
    [PASSWORD, 'wilhelmina featherstonehaugh', 'new_password'],
  ] as const) {
    await assert.rejects(
      changePassword(deps, person, { current_password, new_password }, BROWSER),
      field(name),
    );
  }
  assert.equal((await storage.sessions.list(userId)).length, 1);
  assert.deepEqual(await changes(organizationId), []);
});
