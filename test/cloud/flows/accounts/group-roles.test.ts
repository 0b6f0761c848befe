import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DirectoryGroupRecord, MemberRecord, OrganizationResponse } from '@csg/shared/contract';
import { onBothDatabases } from '../../../support/both-databases.ts';
import { addPerson, openBrowser, type Person, signInAs, type TestBrowser } from '../../../support/browser.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import { openDirectory, type ScimDirectory } from '../../../support/scim-directory.ts';

onBothDatabases('Roles of groups', (start) => {
  let gateway: TestGateway;
  let owner: TestBrowser & Person;
  let directory: ScimDirectory;
  let people = 0;
  before(async () => {
    gateway = await start();
    owner = await signInAs(gateway, 'owner');
    directory = await openDirectory(gateway, owner);
  });
  after(() => gateway.close());

  const addUser = async () => (await directory.addUser(`person-${++people}@example.com`)).id;
  const setMap = (...role_map: object[]) => owner.call('PATCH', '/organization', { role_map });
  const map = async (...mappings: object[]) => {
    const { status, body } = await setMap(...mappings);
    assert.equal(status, 200, JSON.stringify(body));
  };
  const member = async (userId: string) =>
    (await owner.call<MemberRecord[]>('GET', '/members')).body.find(({ user_id: id }) => id === userId);
  const role = async (userId: string) => (await member(userId))?.role;
  const add = (groupId: string, userId: string) =>
    directory.patch(`/Groups/${groupId}`, { op: 'Add', path: 'members', value: [{ value: userId }] });
  const remove = (groupId: string, userId: string) =>
    directory.patch(`/Groups/${groupId}`, { op: 'remove', path: `members[value eq "${userId}"]` });
  const addProject = async (name: string) =>
    (await gateway.storage.projects.insert(gateway.account.organizationId, { name })).id;

  test('the strongest of several groups counts, and the assigned role returns without them', async () => {
    const [admins, auditors] = [
      await directory.addGroup('A1'),
      await directory.addGroup('A2', [], { externalId: 'guid-2' }),
    ];
    await map({ group: admins, role: 'admin' }, { group: 'guid-2', role: 'auditor' });
    const ada = await addUser();
    assert.deepEqual([await role(ada), (await member(ada))?.role_source], ['member', 'assigned']);
    await add(auditors, ada);
    assert.equal(await role(ada), 'auditor', 'a group also gives a weaker role than the assigned one');
    await add(admins, ada);
    assert.deepEqual([await role(ada), (await member(ada))?.role_source], ['admin', 'groups']);
    await remove(admins, ada);
    assert.equal(await role(ada), 'auditor');
    assert.equal((await directory.call('DELETE', `/Groups/${auditors}`)).status, 204);
    assert.deepEqual([await role(ada), (await member(ada))?.role_source], ['member', 'assigned']);
    const rows = (
      await gateway.storage.audit.page(gateway.account.organizationId, { kind: 'member_role_changed' })
    ).rows;
    assert.deepEqual(
      rows
        .filter(({ subject }) => subject === ada)
        .map(({ actor, data }) => [actor, data])
        .reverse(),
      [
        ['member', 'auditor'],
        ['auditor', 'admin'],
        ['admin', 'auditor'],
        ['auditor', 'member'],
      ].map(([was, now]) => [directory.id, { was, role: now, source: 'groups' }]),
    );
  });

  test('a name counts only where an admin confirmed it, also after a rename', async () => {
    const ada = await addUser();
    const group = await directory.addGroup('Gateway admins', [ada]);
    await map({ group: 'Gateway admins', role: 'admin' });
    assert.equal(await role(ada), 'member', 'a name alone');
    await map({ group: 'Gateway admins', role: 'admin', by_name: true });
    assert.equal(await role(ada), 'admin');
    const rename = (value: string) =>
      directory.patch(`/Groups/${group}`, { op: 'Replace', path: 'displayName', value });
    assert.equal((await rename('Former admins')).status, 204);
    assert.equal(await role(ada), 'member', 'the name is gone');
    await rename('gateway ADMINS');
    assert.equal(await role(ada), 'member', 'compared exactly');
    await rename('Gateway admins');
    assert.equal(await role(ada), 'admin');
    const mallory = await addUser();
    const named = await directory.addGroup(group, [mallory]);
    await map({ group, role: 'admin' });
    assert.deepEqual(
      [await role(ada), await role(mallory)],
      ['admin', 'member'],
      'a group that bears an id as its name',
    );
    await directory.call('DELETE', `/Groups/${named}`);
  });

  test('the owner keeps their role, and the directory removes neither them nor the last admin', async () => {
    const group = await directory.addGroup('Everyone', [owner.userId]);
    await map({ group, role: 'viewer' });
    assert.equal(await role(owner.userId), 'owner');
    const off = await directory.patch(`/Users/${owner.userId}`, {
      op: 'Replace',
      path: 'active',
      value: 'False',
    });
    assert.deepEqual([off.status, off.body.status], [409, '409']);
    assert.equal((await directory.call('DELETE', `/Users/${owner.userId}`)).status, 409);
    for (const bad of [
      { group, role: 'owner' },
      { group: '', role: 'admin' },
    ]) {
      assert.equal((await setMap(bad)).status, 422, JSON.stringify(bad));
    }
    assert.equal(await role(owner.userId), 'owner');
  });

  test('a role of groups is not changed on the members page, and applies to people who come in another way', async () => {
    const invited = await addPerson(gateway);
    const group = await directory.addGroup('Auditors');
    await map({ group, role: 'auditor' });
    const made = await directory.call('POST', '/Users', { userName: invited.email });
    assert.equal(made.body.active, false, 'not a member yet');
    assert.equal((await add(group, invited.userId)).status, 204);
    assert.equal(await member(invited.userId), undefined);
    const [open] = await gateway.storage.invitations.listOpenTo(invited.email);
    const browser = openBrowser(gateway);
    await browser.signIn(invited.email);
    assert.equal((await browser.call('POST', `/account/invitations/${open?.id}/accept`)).status, 200);
    assert.equal(await role(invited.userId), 'auditor');
    const change = (to: string) => owner.call('PATCH', `/members/${invited.userId}`, { role: to });
    const refused = await change('admin');
    assert.deepEqual([refused.status, refused.error['code']], [409, 'invalid_state']);
    await remove(group, invited.userId);
    assert.equal((await change('admin')).status, 200);
    assert.deepEqual(
      [await role(invited.userId), (await member(invited.userId))?.role_source],
      ['admin', 'assigned'],
    );
  });

  test('a person who was deactivated has the roles of their groups again when they come back', async () => {
    const ada = await addUser();
    const group = await directory.addGroup('Returning', [ada]);
    await map({ group, role: 'admin' });
    const setActive = (value: boolean) =>
      directory.patch(`/Users/${ada}`, { op: 'replace', value: { active: value } });
    assert.equal((await setActive(false)).status, 200);
    assert.equal(await member(ada), undefined);
    assert.equal((await setActive(true)).status, 200);
    assert.equal(await role(ada), 'admin');
  });

  test('a group gives a role in a project, beside one that a person assigned there', async () => {
    const [shop, lab] = [await addProject('Shop'), await addProject('Lab')];
    const ada = await addUser();
    const [leads, all] = [await directory.addGroup('Leads', [ada]), await directory.addGroup('All', [ada])];
    await map(
      { group: leads, role: 'admin', project_id: shop },
      { group: all, role: 'member', project_id: shop },
      { group: all, role: 'member', project_id: lab },
      { group: all, role: 'viewer' },
    );
    const inProjects = async () =>
      (await member(ada))?.project_roles.map((one) => [one.project_id, one.role]).sort();
    assert.deepEqual(
      await inProjects(),
      [
        [shop, 'admin'],
        [lab, 'member'],
      ].sort(),
    );
    assert.equal(await role(ada), 'viewer');
    const put = await owner.call('PUT', `/projects/${shop}/roles/${ada}`, { role: 'member' });
    assert.equal(put.status, 204);
    await remove(leads, ada);
    assert.deepEqual(
      await inProjects(),
      [
        [shop, 'member'],
        [lab, 'member'],
      ].sort(),
    );
    await remove(all, ada);
    assert.deepEqual(await inProjects(), [[shop, 'member']], 'the assigned one stays');
    assert.equal((await owner.call('DELETE', `/projects/${shop}/roles/${ada}`)).status, 204);

    await add(all, ada);
    assert.equal(
      (await owner.call('DELETE', `/projects/${shop}/roles/${ada}`)).status,
      404,
      'given by the group',
    );
    assert.equal((await owner.call('DELETE', `/projects/${lab}`, { name: 'Lab' })).status, 204);
    const { role_map: left } = (await owner.call<OrganizationResponse>('GET', '/organization')).body;
    assert.deepEqual(
      left.map(({ project_id: id }) => id),
      [shop, shop, null],
      'mappings of a deleted project go',
    );
    for (const [bad, type] of [
      [[{ group: all, role: 'member', project_id: lab }], 'unknown_project'],
      [[{ group: all, role: 'viewer', project_id: shop }], 'project_role'],
      [
        [
          { group: all, role: 'viewer' },
          { group: all, role: 'admin' },
        ],
        'duplicate',
      ],
    ] as const) {
      const { status, body } = await setMap(...bad);
      assert.equal(status, 422, JSON.stringify(body));
      assert.equal((body['detail'] as { type: string }[])[0]?.type, type);
    }
  });

  test('a change of the map applies immediately, and only admins make it', async () => {
    const ada = await addUser();
    const group = await directory.addGroup('Mapped', [ada]);
    await map({ group, role: 'admin' });
    assert.equal(await role(ada), 'admin');
    await map({ group, role: 'viewer' });
    assert.equal(await role(ada), 'viewer');
    await map();
    assert.equal(await role(ada), 'member');
    const viewer = await signInAs(gateway, 'viewer');
    assert.equal((await viewer.call('PATCH', '/organization', { role_map: [] })).status, 403);
    assert.equal((await viewer.call('GET', '/organization/groups')).status, 403);
    const listed = (await owner.call<DirectoryGroupRecord[]>('GET', '/organization/groups')).body;
    assert.deepEqual(
      listed.find(({ id }) => id === group),
      { id: group, name: 'Mapped', external_id: null, members: 1 },
    );
  });

  test('two requests at the same moment lose no role', async () => {
    const ada = await addUser();
    const [one, two] = [await directory.addGroup('One'), await directory.addGroup('Two')];
    await map({ group: one, role: 'auditor' }, { group: two, role: 'admin' });
    for (let round = 0; round < 5; round++) {
      const added = await Promise.all([add(one, ada), add(two, ada)]);
      assert.deepEqual(
        added.map(({ status }) => status),
        [204, 204],
      );
      assert.equal(await role(ada), 'admin');
      await Promise.all([remove(one, ada), remove(two, ada)]);
      assert.equal(await role(ada), 'member');
    }
  });
});
