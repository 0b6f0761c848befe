import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { assertEmpty, createTestEnv, onEveryEngine, type TestEnv } from './storage-engines.ts';

const conflict = (error: unknown) => error instanceof StorageError && error.code === 'conflict';

onEveryEngine('Directory groups', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let people = 0;
  before(async () => {
    storage = await engine.open();
    testEnv = await createTestEnv(storage);
  });

  async function addMember({ organizationId }: TestEnv = testEnv): Promise<string> {
    const { id } = await storage.users.insert({ email: `grouped-${++people}@example.com` });
    await storage.members.add(organizationId, id, 'member');
    return id;
  }
  const create = (displayName: string, externalId: string | null = null, { organizationId } = testEnv) =>
    storage.directoryGroups.create(organizationId, { displayName, externalId });

  test('groups are unique by name and external id in their organization', async () => {
    const { organizationId } = testEnv;
    const other = await createTestEnv(storage);
    const group = await create('Engineers', 'x-1');
    assert.match(group.id, /^dgrp_/);
    await assert.rejects(create('ENGINEERS'), conflict);
    await assert.rejects(create('Others', 'x-1'), conflict);
    const [second, third] = [await create('Second'), await create('Third')];
    assert.equal((await create('Engineers', 'x-1', other)).organizationId, other.organizationId);
    const { directoryGroups } = storage;
    await assert.rejects(
      directoryGroups.update(organizationId, second.id, { displayName: 'third' }),
      conflict,
    );
    await directoryGroups.update(organizationId, second.id, { displayName: 'Renamed', externalId: 'x-2' });
    assert.equal((await directoryGroups.get(organizationId, second.id))?.displayName, 'Renamed');
    await directoryGroups.update(organizationId, second.id, { externalId: null });
    assert.equal((await directoryGroups.get(organizationId, second.id))?.externalId, null);
    const list = async (by: object) =>
      (await directoryGroups.list(organizationId, { offset: 0, limit: 10, ...by })).groups.map(
        ({ id }) => id,
      );
    assert.deepEqual(await list({ displayName: 'engineers' }), [group.id]);
    assert.deepEqual(await list({ externalId: 'x-1' }), [group.id]);
    assert.deepEqual(await list({ id: third.id }), [third.id]);
    assert.deepEqual(await list({ id: third.id, externalId: 'x-1' }), []);
    const page = await directoryGroups.list(organizationId, { offset: 1, limit: 1 });
    assert.deepEqual([page.total, page.groups.length], [3, 1]);
    const named = await directoryGroups.findNamed(organizationId, [
      third.id,
      'x-1',
      'RENAMED',
      'Engineers',
      'none',
    ]);
    assert.deepEqual(named.map(({ id }) => id).sort(), [group.id, second.id, third.id].sort());
    await directoryGroups.remove(other.organizationId, third.id);
    assert.notEqual(await directoryGroups.get(organizationId, third.id), null);
    await directoryGroups.remove(organizationId, third.id);
    assert.equal(await directoryGroups.get(organizationId, third.id), null);
  });

  test('members are added and removed once, and end with the entry of the directory', async () => {
    const { organizationId } = testEnv;
    const { directoryGroups } = storage;
    const { id } = await create('With members');
    const users = [await addMember(), await addMember(), await addMember()].sort();
    await directoryGroups.addMembers(organizationId, id, users);
    await directoryGroups.addMembers(organizationId, id, users.slice(0, 1));
    const ids = async () =>
      (await directoryGroups.listMembers(organizationId, [id])).map(({ userId }) => userId);
    assert.deepEqual(await ids(), users);
    assert.equal((await storage.directory.get(organizationId, users[0]!))?.isActive, true);
    assert.deepEqual(
      await directoryGroups.listGroupsOf(organizationId, [id], [...users.slice(1, 2), 'usr_none']),
      [{ groupId: id, userId: users[1] }],
    );
    assert.deepEqual(await directoryGroups.listGroupsOf(organizationId, ['dgrp_other'], users), []);
    const found = await directoryGroups.list(organizationId, { offset: 0, limit: 10, userId: users[0]! });
    assert.deepEqual(
      found.groups.map((group) => group.id),
      [id],
    );
    assert.deepEqual(await directoryGroups.countMembers(organizationId, [id]), new Map([[id, 3]]));
    const stranger = await addMember(await createTestEnv(storage));
    assert.deepEqual(
      await directoryGroups.findUsers(organizationId, [...users, stranger, 'usr_none']),
      new Set(users),
    );
    await directoryGroups.removeMembers(organizationId, id, users.slice(0, 1));
    await storage.members.remove(organizationId, users[1]!);
    assert.deepEqual(
      await ids(),
      users.slice(1),
      'a membership that ended leaves the person in the directory',
    );
    await storage.directory.forget(organizationId, users[1]!);
    assert.deepEqual(await ids(), users.slice(2));
    await directoryGroups.remove(organizationId, id);
    assert.deepEqual(await ids(), []);
  });

  test('a role map keeps its order, and loses what is about a deleted project', async () => {
    const env = await createTestEnv(storage);
    const { organizationId, projectId } = env;
    const map = [
      { groupValue: 'b', byName: true, role: 'admin', projectId: null },
      { groupValue: 'a', byName: false, role: 'member', projectId },
      { groupValue: 'a', byName: false, role: 'viewer', projectId: null },
    ] as const;
    await storage.roleMap.replace(organizationId, map);
    assert.deepEqual(await storage.roleMap.list(organizationId), map);
    await storage.transaction(({ deletions }) => deletions.removeProject(organizationId, projectId));
    assert.deepEqual(await storage.roleMap.list(organizationId), [map[0], map[2]]);
    await storage.roleMap.replace(organizationId, []);
    assert.deepEqual(await storage.roleMap.list(organizationId), []);
  });

  test('roles of members have sources, and an assigned role replaces them', async () => {
    const env = await createTestEnv(storage);
    const { organizationId, projectId, userId: givenBy } = env;
    const [one, two] = [await addMember(env), await addMember(env)];
    const { roleMap, members } = storage;
    const given = { role: 'admin', ownRole: 'member', claimRole: 'admin', groupRole: 'viewer' } as const;
    await roleMap.setMemberRoles(organizationId, [one], given);
    assert.deepEqual(await roleMap.listMemberRoles(organizationId, [one, 'usr_none']), [
      { userId: one, ...given },
    ]);
    assert.deepEqual(await roleMap.listMembersBySource(organizationId, 'claim'), [one]);
    const role = { organizationId, projectId, userId: two, givenBy } as const;
    await members.setProjectRoles([
      { ...role, role: 'member', source: 'assigned' },
      { ...role, role: 'admin', source: 'groups' },
    ]);
    assert.equal(await members.getProjectRole(organizationId, two, projectId), 'admin', 'the strongest');
    assert.deepEqual(
      (await roleMap.listMembersBySource(organizationId, 'groups')).toSorted(),
      [one, two].sort(),
    );
    assert.equal(await members.removeProjectRoles(organizationId, projectId, [two], 'groups'), 1);
    assert.equal(await members.getProjectRole(organizationId, two, projectId), 'member');
    await roleMap.keepClaimRoles(organizationId);
    const [kept] = await roleMap.listMemberRoles(organizationId, [one]);
    assert.deepEqual([kept?.ownRole, kept?.claimRole, kept?.groupRole], ['admin', null, 'viewer']);
    await members.setRole(organizationId, one, 'auditor');
    assert.deepEqual(await roleMap.listMemberRoles(organizationId, [one]), [
      { userId: one, role: 'auditor', ownRole: null, claimRole: null, groupRole: null },
    ]);
  });

  test('an unknown id is an empty result everywhere', async () => {
    const { directoryGroups, roleMap } = storage;
    await assertEmpty({
      get: directoryGroups.get('org_none', 'dgrp_none'),
      remove: directoryGroups.remove('org_none', 'dgrp_none'),
      members: directoryGroups.listMembers('org_none', ['dgrp_none']),
      named: directoryGroups.findNamed('org_none', ['x']),
      map: roleMap.list('org_none'),
      roles: roleMap.listMemberRoles('org_none', ['usr_none']),
      source: roleMap.listMembersBySource('org_none', 'groups'),
    });
  });
});
