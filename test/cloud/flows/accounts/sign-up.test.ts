import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import { signUp } from '../../../../apps/cloud/src/flows/accounts/sign-up.ts';
import { openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

test('an account starts with its organization, project and plan, and an email to verify the address', async (t) => {
  const { deps, storage, changes, emailsTo } = await openAccountTestEnv(t);
  const input = { email: ' Ada@example.com ', password: PASSWORD, name: ' Ada ' };
  await signUp({ ...deps, signUp: 'open' }, input, '192.0.2.1');
  const user = await storage.users.findByEmail('ada@example.com');
  assert.deepEqual([user?.email, user?.name, user?.emailVerifiedAtMs], ['Ada@example.com', 'Ada', null]);
  const subscription = await storage.subscriptions.get(user!.id);
  assert.deepEqual([subscription?.plan, subscription?.status], ['free', 'active']);
  const [organization, ...others] = await storage.organizations.listOwned(user!.id);
  assert.deepEqual([organization?.kind, organization?.name, others], ['personal', 'My organization', []]);
  assert.equal((await storage.members.get(organization!.id, user!.id))?.role, 'owner');
  const projects = await storage.projects.list(organization!.id);
  assert.deepEqual(
    projects.map(({ name }) => name),
    ['Default project'],
  );
  assert.deepEqual((await changes(organization!.id)).map(({ kind, data }) => [kind, data]).at(-1), [
    'organization_created',
    { kind: 'personal' },
  ]);
  const [sent, ...further] = await emailsTo('Ada@example.com');
  assert.deepEqual([sent?.kind, further], ['verify_email', []]);
});

test('a name that is empty is none', async (t) => {
  const { deps, storage } = await openAccountTestEnv(t);
  await signUp(
    { ...deps, signUp: 'open' },
    { email: 'a@example.com', password: PASSWORD, name: ' ' },
    '192.0.2.1',
  );
  assert.equal((await storage.users.findByEmail('a@example.com'))?.name, null);
});

test('the owner of a known address is notified, and nothing else happens', async (t) => {
  const { deps, storage, addPerson, emailsTo } = await openAccountTestEnv(t);
  const { userId, email } = await addPerson({ email: 'Known@example.com' });
  const before = await storage.users.list();
  const input = { email: 'known@EXAMPLE.com', password: 'twelve lanterns over water' };
  await signUp({ ...deps, signUp: 'open' }, input, '192.0.2.1');
  assert.deepEqual(await storage.users.list(), before);
  assert.equal((await storage.organizations.listOwned(userId)).length, 1);
  const [sent, ...others] = await emailsTo(email);
  assert.deepEqual([sent?.kind, others], ['address_in_use', []]);
  assert.match(sent?.text ?? '', /dashboard\/sign-in\n.*dashboard\/forgot-password\n/s);
});

test('closed sign-up, weak passwords and too many emails leave no account', async (t) => {
  const { deps, storage } = await openAccountTestEnv(t);
  const attempt = (email: string, password: string, mode: 'open' | 'invitation', name?: string) =>
    signUp(
      { ...deps, signUp: mode },
      { email, password, ...(name === undefined ? {} : { name }) },
      '192.0.2.1',
    );
  const code = (expected: string) => (error: unknown) =>
    error instanceof CodedError && error.code === expected;
  await assert.rejects(attempt('a@example.com', PASSWORD, 'invitation'), code('sign_up_closed'));
  for (const password of ['short', 'maximiliane throckmorton', 'wilhelmina featherstonehaugh']) {
    const email = 'maximiliane.throckmorton@example.com';
    await assert.rejects(
      attempt(email.replace('@', `+${password.length}@`), password, 'open', 'Wilhelmina Featherstonehaugh'),
      ValidationError,
    );
  }
  for (let n = 0; n < 2; n++)
    await assert.rejects(attempt('b@example.com', 'short', 'open'), ValidationError);
  await assert.rejects(attempt('b@example.com', PASSWORD, 'open'), code('rate_limit_exceeded'));
  assert.deepEqual(await storage.users.list(), []);
});
