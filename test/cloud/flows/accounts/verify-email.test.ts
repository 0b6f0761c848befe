import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import { requestPasswordReset } from '../../../../apps/cloud/src/flows/accounts/reset-password.ts';
import {
  changeEmail,
  resendVerification,
  verifyEmail,
} from '../../../../apps/cloud/src/flows/accounts/verify-email.ts';
import { openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

const MINUTE_MS = 60_000;
const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

test('the address is verified by the newest link, which is sent once a minute and is good for a day', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes, emailsTo } = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await addPerson();
  const { person } = await signIn(userId);
  await resendVerification(deps, person);
  clock.advance(MINUTE_MS - 1);
  await assert.rejects(resendVerification(deps, person), (error: unknown) => {
    assert.ok(error instanceof CodedError);
    return error.code === 'rate_limit_exceeded' && error.fields?.['retry_after'] === 60;
  });
  clock.advance(1);
  await resendVerification(deps, person);
  const [old, newest, ...others] = await emailsTo(email);
  assert.deepEqual(others, []);
  assert.deepEqual([newest?.subject, newest?.kind], ['Confirm your email address', 'verify_email']);
  assert.match(newest?.text ?? '', /dashboard\/verify-email#token=/);
  await assert.rejects(verifyEmail(deps, person, old!.token), code('link_expired'));
  clock.advance(24 * 60 * MINUTE_MS - 1);
  await verifyEmail(deps, person, newest!.token);
  assert.equal((await storage.users.get(userId))?.emailVerifiedAtMs, clock.now());
  assert.deepEqual(await changes(organizationId), [
    { kind: 'email_verified', actor: userId, subject: userId, data: {} },
  ]);
  assert.equal((await emailsTo(email)).length, 2, 'no email about a change');
  await assert.rejects(
    resendVerification(deps, { ...person, isEmailVerified: true }),
    code('invalid_state', /confirmed/),
  );
});

test('another address takes effect with its link; the old one is notified and resets nothing any more', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes, emailsTo } = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await addPerson();
  const { person } = await signIn(userId);
  const change = (to: string, current_password = PASSWORD) =>
    changeEmail(deps, person, { email: to, current_password });
  await assert.rejects(change('next@example.com', 'wrong'), ValidationError);
  assert.deepEqual(await emailsTo('next@example.com'), []);
  await change(' next@example.com ');
  await requestPasswordReset(deps, email, '192.0.2.1');
  clock.advance(1);
  assert.equal((await storage.users.get(userId))?.email, email);
  const [sent] = await emailsTo('next@example.com');
  await verifyEmail(deps, person, sent!.token);
  const user = await storage.users.get(userId);
  assert.deepEqual([user?.email, user?.emailVerifiedAtMs], ['next@example.com', clock.now()]);
  assert.deepEqual(
    (await changes(organizationId)).map(({ kind }) => kind),
    ['email_changed'],
  );
  const [reset, notice] = await emailsTo(email);
  assert.match(notice?.subject ?? '', /email address of your account was changed/);
  assert.equal(await storage.accountLinks.spend('reset_password', reset!.token, clock.now()), null);
});

test('a link of another account and an address of another account are rejected, and nothing is changed', async (t) => {
  const { deps, storage, clock, addPerson, signIn, emailsTo } = await openAccountTestEnv(t);
  const [one, other] = [await addPerson(), await addPerson()];
  const { person } = await signIn(one.userId);
  const { person: stranger } = await signIn(other.userId);
  await changeEmail(deps, person, { email: other.email, current_password: PASSWORD });
  const [sent] = await emailsTo(other.email);
  await assert.rejects(verifyEmail(deps, stranger, sent!.token), code('link_expired', /another account/));
  await assert.rejects(
    verifyEmail(deps, person, sent!.token),
    (error) => error instanceof ValidationError && error.detail[0]?.type === 'email_taken',
  );
  assert.equal((await storage.users.get(one.userId))?.email, one.email);
  // Only the spelling of one's own address is changed.
  clock.advance(MINUTE_MS);
  await changeEmail(deps, person, { email: one.email.toUpperCase(), current_password: PASSWORD });
  const [own] = await emailsTo(one.email.toUpperCase());
  await verifyEmail(deps, person, own!.token);
  assert.equal((await storage.users.get(one.userId))?.email, one.email.toUpperCase());
});
