import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  listProjectRoles,
  removeProjectRole,
  setProjectRole,
} from '../../../../apps/cloud/src/flows/accounts/project-roles.ts';
import type { Role } from '../../../../apps/cloud/src/storage/storage.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code =
  (expected: string, fields: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError, String(error));
    assert.deepEqual([error.code, error.fields], [expected, fields]);
    return true;
  };
const denied = code('insufficient_role', { required_role: 'admin' });

/** A team with a project, and its owner's view of the roles in it. */
async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId: ownerId, organizationId } = await env.addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'Project' });
  const addMember = async (role: Role, name: string | null = 'Person') => {
    const { userId, email } = await env.addPerson();
    await storage.users.update(userId, { name });
    await storage.members.add(organizationId, userId, role);
    return { userId, email };
  };
  const as = (userId: string | null) => ({ organizationId, id: userId ?? 'operator', userId });
  const log = () => env.changes(organizationId);
  const list = () => listProjectRoles(env, organizationId, projectId);
  return { ...env, ownerId, organizationId, projectId, addMember, as, log, list };
}

test('a role is given, changed and removed, and each is recorded', async (t) => {
  const { storage, clock, ownerId, organizationId, projectId, addMember, as, log, list } = await openTeam(t);
  const { userId, email } = await addMember('viewer');
  const role = () => storage.members.getProjectRole(organizationId, userId, projectId);
  const record = {
    ...{ user_id: userId, email, name: 'Person', organization_role: 'viewer', given_by: 'Person' },
    source: 'assigned',
    given_at: new Date(clock.now()).toISOString(),
  };
  await setProjectRole({ storage }, as(ownerId), projectId, userId, 'member');
  assert.deepEqual(await list(), [{ ...record, role: 'member' }]);
  clock.advance(1_000);
  await setProjectRole({ storage }, as(ownerId), projectId, userId, 'admin');
  const given_at = new Date(clock.now()).toISOString();
  assert.deepEqual(await list(), [{ ...record, role: 'admin', given_at }]);
  await removeProjectRole({ storage }, as(ownerId), projectId, userId);
  assert.deepEqual([await role(), await list()], [null, []]);
  assert.equal((await storage.members.get(organizationId, userId))?.role, 'viewer');
  const row = { kind: 'project_role_changed', actor: ownerId, subject: userId };
  assert.deepEqual(await log(), [
    { ...row, data: { project_id: projectId, was: null, role: 'member' } },
    { ...row, data: { project_id: projectId, was: 'member', role: 'admin' } },
    { ...row, data: { project_id: projectId, was: 'admin', role: null } },
  ]);
  await assert.rejects(removeProjectRole({ storage }, as(ownerId), projectId, userId), code('not_found'));
  assert.equal((await log()).length, 3);
});

test('owners and admins get none; members, auditors and viewers do', async (t) => {
  const { storage, ownerId, projectId, addMember, as, log } = await openTeam(t);
  const admin = await addMember('admin');
  for (const userId of [ownerId, admin.userId]) {
    await assert.rejects(
      setProjectRole({ storage }, as(ownerId), projectId, userId, 'admin'),
      code('invalid_state'),
    );
  }
  assert.deepEqual(await log(), []);
  for (const role of ['member', 'auditor', 'viewer'] as const) {
    const { userId } = await addMember(role);
    await setProjectRole({ storage }, as(admin.userId), projectId, userId, 'admin');
  }
  assert.equal((await log()).length, 3);
});

test('admins of the project and the operator give roles; members of it do not', async (t) => {
  const { storage, ownerId, organizationId, projectId, addMember, as, log, list } = await openTeam(t);
  const [lead, other] = [await addMember('viewer'), await addMember('member')];
  const by = (userId: string | null) =>
    setProjectRole({ storage }, as(userId), projectId, other.userId, 'member');
  await assert.rejects(by(lead.userId), denied);
  await setProjectRole({ storage }, as(ownerId), projectId, lead.userId, 'member');
  await assert.rejects(by(lead.userId), denied);
  await setProjectRole({ storage }, as(ownerId), projectId, lead.userId, 'admin');
  await by(lead.userId);
  const second = await storage.projects.insert(organizationId, { name: 'Second' });
  for (const change of [setProjectRole, removeProjectRole]) {
    await assert.rejects(change({ storage }, as(lead.userId), second.id, other.userId, 'member'), denied);
  }
  await by(null);
  assert.equal((await log()).at(-1)?.actor, 'operator');
  const givers = (await storage.members.listProjectRoles(organizationId)).map(({ givenBy }) => givenBy);
  assert.deepEqual(givers.sort(), ['operator', ownerId]);
  assert.deepEqual(
    (await list()).map(({ user_id, given_by }) => [user_id === lead.userId, given_by]).sort(),
    [
      [false, null],
      [true, 'Person'],
    ],
    'the operator is no member',
  );
});

test('projects and members of others are not found', async (t) => {
  const { storage, ownerId, projectId, addMember, addPerson, as, log, organizationId } = await openTeam(t);
  const { userId } = await addMember('member');
  const stranger = await addPerson();
  const foreign = await storage.projects.insert(stranger.organizationId, { name: 'Foreign' });
  for (const [project, person] of [
    [foreign.id, userId],
    ['proj_none', userId],
    [projectId, stranger.userId],
  ] as const) {
    for (const change of [setProjectRole, removeProjectRole]) {
      await assert.rejects(change({ storage }, as(ownerId), project, person, 'member'), code('not_found'));
    }
  }
  await assert.rejects(listProjectRoles({ storage }, organizationId, foreign.id), code('not_found'));
  assert.deepEqual(await log(), []);
});

test('the list shows roles of the project, oldest first, with the address of givers without a name', async (t) => {
  const { storage, clock, ownerId, organizationId, projectId, addMember, as, list } = await openTeam(t);
  const admin = await addMember('admin', null);
  const [first, second, third] = [
    await addMember('member', null),
    await addMember('viewer'),
    await addMember('viewer'),
  ];
  const elsewhere = await storage.projects.insert(organizationId, { name: 'Elsewhere' });
  await setProjectRole({ storage }, as(ownerId), elsewhere.id, third.userId, 'member');
  await setProjectRole({ storage }, as(admin.userId), projectId, second.userId, 'admin');
  clock.advance(1);
  await setProjectRole({ storage }, as(ownerId), projectId, first.userId, 'admin');
  assert.deepEqual(
    (await list()).map(({ user_id, name, organization_role, given_by }) => [
      user_id,
      name,
      organization_role,
      given_by,
    ]),
    [
      [second.userId, 'Person', 'viewer', admin.email],
      [first.userId, null, 'member', 'Person'],
    ],
  );
});
