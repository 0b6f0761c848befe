import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyGroupRoles } from '../../../../apps/cloud/src/flows/accounts/group-roles.ts';
import { openSsoTestEnv } from '../../../support/sso-test-env.ts';

const EMAIL = 'ada@corp.example';
const ADA = { email: EMAIL, email_verified: true };
type Env = Awaited<ReturnType<typeof openSsoTestEnv>>;

const mapping = (
  groupValue: string,
  role: 'admin' | 'member' | 'auditor' | 'viewer',
  projectId: string | null = null,
) => ({
  ...{ groupValue, role, projectId },
  byName: false,
});

async function roleOf({ storage, organizationId }: Env): Promise<string | undefined> {
  const user = await storage.users.findByEmail(EMAIL);
  return user === null ? undefined : (await storage.members.get(organizationId, user.id))?.role;
}

/** A person of the directory, in a group that gives a role. */
async function addToGroup(env: Env, groupId: string) {
  const { storage, organizationId } = env;
  const user = await storage.users.insert({ email: EMAIL });
  await storage.members.add(organizationId, user.id, 'member');
  await storage.directory.describe(organizationId, user.id, {});
  await storage.directory.noteMadeAccount(organizationId, user.id);
  await storage.directoryGroups.addMembers(organizationId, groupId, [user.id]);
  await apply(env, user.id);
  return user.id;
}

const apply = ({ storage, organizationId }: Env, userId: string) =>
  storage.transaction((of) => applyGroupRoles(of, { organizationId, actor: 'dirt_x' }, [userId]));

test('with a role map the claim gives what the map lists, the strongest of several, and names of roles nothing', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  await env.setProvider({ roleClaim: 'groups' });
  const project = (await storage.projects.insert(organizationId, { name: 'Shop' })).id;
  await storage.roleMap.replace(organizationId, [
    mapping('5e1f-admins', 'admin'),
    mapping('/staff', 'member'),
    mapping('Audit', 'auditor'),
    mapping('/shop', 'admin', project),
  ]);
  for (const [groups, role] of [
    [['/staff'], 'member'],
    [['Audit', '5e1f-admins', '/staff'], 'admin'],
    ['Audit', 'auditor'],
    [['admin'], 'viewer'],
    [['audit', '/Staff', '/staff/'], 'viewer'],
    [['/shop'], 'viewer'],
    [[5, null, { x: 1 }], 'viewer'],
    [undefined, 'viewer'],
    [['owner'], 'viewer'],
  ] as const) {
    await env.enter('ada', { ...ADA, groups });
    assert.equal(await roleOf(env), role, JSON.stringify(groups));
  }
  const user = (await storage.users.findByEmail(EMAIL))!;
  await env.enter('ada', { ...ADA, groups: ['/shop', '/staff'] });
  assert.equal(await storage.members.getProjectRole(organizationId, user.id, project), 'admin');
  await env.enter('ada', { ...ADA, groups: ['/staff'] });
  assert.equal(await storage.members.getProjectRole(organizationId, user.id, project), null);
});

test('a role given by SCIM stays at a sign-in without the claim, and the stronger one counts with it', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  const group = await storage.directoryGroups.create(organizationId, {
    displayName: 'G',
    externalId: 'guid-1',
  });
  await storage.roleMap.replace(organizationId, [mapping('guid-1', 'auditor'), mapping('guid-2', 'admin')]);
  await env.setProvider({ roleClaim: 'groups' });
  const userId = await addToGroup(env, group.id);
  assert.equal(await roleOf(env), 'auditor');
  for (const [groups, role] of [
    [undefined, 'auditor'],
    [[], 'auditor'],
    [['guid-2'], 'admin'],
    [['unmapped'], 'auditor'],
    [['guid-2'], 'admin'],
    [undefined, 'auditor'],
  ] as const) {
    await env.enter('ada', { ...ADA, groups });
    assert.equal(await roleOf(env), role, JSON.stringify(groups));
  }
  await storage.directoryGroups.removeMembers(organizationId, group.id, [userId]);
  await apply(env, userId);
  assert.equal(await roleOf(env), 'member', 'as the directory provisioned them');
  await env.enter('ada', ADA);
  assert.equal(await roleOf(env), 'member', 'also without groups');
});

test('a value of the claim is never the id of a group here', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  const group = await storage.directoryGroups.create(organizationId, { displayName: 'G', externalId: null });
  await storage.roleMap.replace(organizationId, [mapping(group.id, 'admin')]);
  await env.setProvider({ roleClaim: 'groups' });
  await env.enter('ada', { ...ADA, groups: [group.id] });
  assert.equal(await roleOf(env), 'viewer', 'a group of the provider that bears the id as its name');
});

test('a person admitted by a claim falls back to viewer, and not to the role of the claim', async (t) => {
  const env = await openSsoTestEnv(t);
  const { storage, organizationId } = env;
  await env.setProvider({ roleClaim: 'gateway_role' });
  await env.enter('ada', { ...ADA, gateway_role: 'admin' });
  const user = (await storage.users.findByEmail(EMAIL))!;
  const group = await storage.directoryGroups.create(organizationId, { displayName: 'G', externalId: null });
  await storage.directoryGroups.addMembers(organizationId, group.id, [user.id]);
  await env.enter('ada', ADA);
  assert.equal(await roleOf(env), 'viewer');
});
