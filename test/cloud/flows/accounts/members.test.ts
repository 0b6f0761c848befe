import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { changeRole, removeMember } from '../../../../apps/cloud/src/flows/accounts/members.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code = (expected: string) => (error: unknown) => error instanceof CodedError && error.code === expected;

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const caller = await env.addCaller();
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const { userId } = await env.addPerson();
  await env.storage.members.add(caller.organizationId, userId, 'viewer');
  const roleOf = async (id: string) =>
    (await env.storage.members.get(caller.organizationId, id))?.role ?? null;
  const deps = { ...env.deps, forgetKeys };
  return { ...env, deps, caller, memberId: userId, roleOf, forgotten: () => forgotten };
}

test('a role is changed and recorded with what it was; that of the owner is not', async (t) => {
  const { deps, caller, memberId, roleOf, changes } = await openTeam(t);
  assert.equal((await changeRole(deps, caller, memberId, 'admin')).role, 'admin');
  assert.equal(await roleOf(memberId), 'admin');
  assert.deepEqual(await changes(caller.organizationId), [
    {
      ...{ kind: 'member_role_changed', actor: caller.userId, subject: memberId },
      data: { was: 'viewer', role: 'admin' },
    },
  ]);
  await assert.rejects(changeRole(deps, caller, caller.userId, 'viewer'), code('owner_protected'));
  await assert.rejects(changeRole(deps, caller, 'usr_none', 'viewer'), code('not_found'));
  assert.equal(await roleOf(caller.userId), 'owner');
  assert.equal((await changes(caller.organizationId)).length, 1);
});

test('with a membership end the keys, devices and enrollments of the person in this organization', async (t) => {
  const { deps, storage, caller, memberId, roleOf, changes, forgotten, clock } = await openTeam(t);
  const { organizationId } = caller;
  const { enrollment, token } = await storage.enrollments.create(organizationId, { createdBy: memberId });
  const used = await storage.enrollments.create(organizationId, { createdBy: memberId });
  const spent = await storage.enrollments.spend(used.token, 'linux', clock.now());
  assert.notEqual(spent, null);
  await removeMember(deps, caller, memberId);
  assert.equal(await roleOf(memberId), null);
  assert.equal(await storage.enrollments.spend(token, 'linux', clock.now()), null);
  assert.deepEqual(await changes(organizationId), [
    {
      ...{ kind: 'member_removed', actor: caller.userId, subject: memberId },
      data: { role: 'viewer', keys_revoked: [], devices_revoked: [], enrollments_revoked: [enrollment.id] },
    },
  ]);
  assert.equal(forgotten(), 1);
  await assert.rejects(removeMember(deps, caller, memberId), code('not_found'));
  await assert.rejects(removeMember(deps, caller, caller.userId), code('owner_protected'));
  assert.deepEqual([await roleOf(caller.userId), forgotten()], ['owner', 1]);
});
