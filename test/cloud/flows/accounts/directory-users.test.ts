import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  changeUser,
  deprovisionUser,
  provisionUser,
} from '../../../../apps/cloud/src/flows/accounts/directory-users.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const DAY_MS = 86_400_000;
const code = (expected: string, scimType?: string) => (error: unknown) =>
  error instanceof CodedError && error.code === expected && error.fields?.['scimType'] === scimType;

async function openDirectory(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const owner = await env.addPerson();
  const { organizationId } = owner;
  let forgotten = 0;
  const deps = {
    ...env.deps,
    forgetKeys: () => {
      forgotten += 1;
    },
  };
  const caller = { id: 'dir_1', organizationId };
  const log = async () =>
    (await env.changes(organizationId)).map(({ kind, actor, subject }) => [kind, actor, subject]);
  const subjects = async (email: string) =>
    (await env.emailsTo(email, organizationId)).map(({ subject, kind }) => [subject, kind]);
  const invitation = (email: string) => env.storage.invitations.findOpenFor(organizationId, email);
  return { ...env, deps, owner, caller, log, subjects, invitation, forgotten: () => forgotten };
}

test('a new address becomes a member immediately: recorded, and an email says how to choose a password', async (t) => {
  const { deps, storage, caller, log, subjects } = await openDirectory(t);
  const input = { email: 'new@example.com', externalId: 'x1', givenName: 'Ada' };
  const user = await provisionUser(deps, caller, input);
  assert.deepEqual([user.isActive, user.externalId, user.hasMadeAccount], [true, 'x1', true]);
  assert.equal((await storage.members.get(caller.organizationId, user.userId))?.role, 'member');
  assert.deepEqual(await log(), [['member_added', 'dir_1', user.userId]]);
  const sent = await subjects('new@example.com');
  assert.equal(sent.length, 1);
  await assert.rejects(provisionUser(deps, caller, input), code('invalid_state', 'uniqueness'));
  const account = await storage.users.get(user.userId);
  assert.deepEqual([account?.passwordHash, account?.emailVerifiedAtMs, account?.name], [null, null, null]);
});

test('one who is made inactive is no member before and after, and active again when the directory says so', async (t) => {
  const { deps, caller, log, subjects, forgotten, clock } = await openDirectory(t);
  const user = await provisionUser(deps, caller, { email: 'new@example.com', isActive: false });
  assert.equal(user.isActive, false);
  assert.deepEqual([await log(), await subjects('new@example.com')], [[], []]);
  const active = await changeUser(deps, caller, user.userId, { isActive: true, familyName: 'L' });
  assert.deepEqual([active.isActive, active.familyName], [true, 'L']);
  await changeUser(deps, caller, user.userId, { isActive: true });
  clock.advance(60_000);
  await changeUser(deps, caller, user.userId, { isActive: false });
  await changeUser(deps, caller, user.userId, { isActive: false });
  assert.deepEqual(
    (await log()).map(([kind]) => kind),
    ['member_added', 'member_removed'],
  );
  assert.equal((await subjects('new@example.com')).length, 1);
  assert.equal(forgotten(), 4);
});

test('a person with an account is invited once for each expiry, and no member before they accept', async (t) => {
  const { deps, storage, clock, caller, log, subjects, addPerson, invitation } = await openDirectory(t);
  const { userId, email } = await addPerson();
  const user = await provisionUser(deps, caller, { email });
  assert.equal(user.isActive, false);
  assert.equal(await storage.members.get(caller.organizationId, userId), null);
  const open = await invitation(email);
  assert.deepEqual(
    [open?.role, open?.invitedBy, open?.expiresAtMs],
    ['member', 'dir_1', clock.now() + 7 * DAY_MS],
  );
  assert.deepEqual(await log(), [['invitation_created', 'dir_1', open?.id]]);
  clock.advance(7 * DAY_MS - 1);
  await changeUser(deps, caller, userId, { isActive: true });
  assert.equal((await subjects(email)).length, 1);
  clock.advance(1);
  await changeUser(deps, caller, userId, { isActive: true });
  const renewed = await invitation(email);
  assert.notEqual(renewed?.id, open?.id);
  assert.equal((await storage.invitations.listOpen(caller.organizationId)).length, 1);
  assert.deepEqual((await log()).at(-1), ['invitation_created', 'dir_1', renewed?.id]);
  assert.equal((await subjects(email)).length, 2);
});

test('an account of the directory whose person has a password is invited like any other', async (t) => {
  const { deps, storage, caller, invitation } = await openDirectory(t);
  const email = 'new@example.com';
  const { userId } = await provisionUser(deps, caller, { email, isActive: false });
  await storage.users.update(userId, { passwordHash: 'hash' });
  assert.equal((await changeUser(deps, caller, userId, { isActive: true })).isActive, false);
  assert.notEqual(await invitation(email), null);
});

test('making inactive or removing revokes the invitation and records it; a transfer stays open', async (t) => {
  const { deps, storage, clock, caller, owner, log, addPerson, invitation } = await openDirectory(t);
  const people = [await addPerson(), await addPerson()] as const;
  for (const { userId, email } of people) {
    await provisionUser(deps, caller, { email });
    const open = await invitation(email);
    if (userId === people[0].userId) await changeUser(deps, caller, userId, { isActive: false });
    else await deprovisionUser(deps, caller, userId);
    assert.equal(await invitation(email), null);
    assert.deepEqual((await log()).at(-1), ['invitation_revoked', 'dir_1', open?.id]);
  }
  const [{ userId, email }] = people;
  await storage.invitations.create(caller.organizationId, {
    ...{ email, role: 'owner', invitedBy: owner.userId, expiresAtMs: clock.now() + DAY_MS },
  });
  await changeUser(deps, caller, userId, { isActive: false });
  assert.equal((await invitation(email))?.role, 'owner');
});

test('removal ends the membership and the entry; the account stays', async (t) => {
  const { deps, storage, caller, log, forgotten } = await openDirectory(t);
  const { userId } = await provisionUser(deps, caller, { email: 'new@example.com' });
  await deprovisionUser(deps, caller, userId);
  assert.equal(await storage.members.get(caller.organizationId, userId), null);
  assert.equal(await storage.directory.get(caller.organizationId, userId), null);
  assert.notEqual(await storage.users.get(userId), null);
  assert.deepEqual((await log()).at(-1), ['member_removed', 'dir_1', userId]);
  assert.equal(forgotten(), 1);
  for (const act of [
    () => deprovisionUser(deps, caller, userId),
    () => changeUser(deps, caller, userId, {}),
  ]) {
    await assert.rejects(act(), code('not_found'));
  }
});

test('the directory changes no address, and cannot remove the owner', async (t) => {
  const { deps, storage, caller, owner, log } = await openDirectory(t);
  const { userId, email } = await provisionUser(deps, caller, { email: 'new@example.com', givenName: 'A' });
  await assert.rejects(
    changeUser(deps, caller, userId, { email: 'other@example.com', givenName: 'B' }),
    code('invalid_request', 'mutability'),
  );
  const same = await changeUser(deps, caller, userId, { email: ` ${email.toUpperCase()} `, familyName: 'C' });
  assert.deepEqual([same.email, same.givenName, same.familyName], [email, 'A', 'C']);
  await storage.directory.describe(caller.organizationId, owner.userId, {});
  const before = await log();
  for (const act of [
    () => changeUser(deps, caller, owner.userId, { isActive: false }),
    () => deprovisionUser(deps, caller, owner.userId),
  ]) {
    await assert.rejects(act(), code('owner_protected'));
  }
  assert.deepEqual(await log(), before);
});
