import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCIM } from '@csg/shared/contract';
import { addAccount } from '../../../support/accounts.ts';
import { onBothDatabases } from '../../../support/both-databases.ts';
import { signInAs } from '../../../support/browser.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import { openDirectory, type ScimDirectory } from '../../../support/scim-directory.ts';

onBothDatabases('SCIM groups', (start) => {
  let gateway: TestGateway;
  let directory: ScimDirectory;
  let ada: string;
  let bob: string;
  before(async () => {
    gateway = await start();
    directory = await openDirectory(gateway, await signInAs(gateway, 'owner'));
    ada = (await directory.addUser('ada@groups.example')).id;
    bob = (await directory.addUser('bob@groups.example')).id;
  });
  after(() => gateway.close());

  const list = async (query: string) => (await directory.call('GET', `/Groups?${query}`)).body;
  const find = (filter: string, more = '') => list(`filter=${encodeURIComponent(filter)}${more}`);

  test('a group is created, found by name, id and member, replaced and deleted', async () => {
    const made = await directory.call('POST', '/Groups', {
      schemas: [SCIM.group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Engineers "R&D" \\ Berlin',
      meta: { resourceType: 'Group' },
      members: [{ value: ada, display: 'Ada', $ref: null, type: 'User' }, { value: ada }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id } = made.body;
    assert.deepEqual(made.body.members, [
      {
        value: ada,
        display: 'ada@groups.example',
        type: 'User',
        $ref: `${gateway.address}/scim/v2/Users/${ada}`,
      },
    ]);
    assert.equal(made.body.meta.location, `${gateway.address}/scim/v2/Groups/${id}`);
    assert.deepEqual((await directory.call('GET', `/Groups/${id}`)).body, made.body);
    const { members, ...head } = made.body;
    assert.deepEqual((await directory.call('GET', `/Groups/${id}?excludedAttributes=members`)).body, head);
    assert.equal(members.length, 1, 'the same id twice is one member');

    const name = JSON.stringify(made.body.displayName);
    for (const filter of [
      `displayName eq ${name}`,
      `DISPLAYNAME Eq ${name.toUpperCase()}`,
      'externalId eq "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159"',
      `id eq "${id}" and members eq "${ada}"`,
      `members.value eq "${ada}"`,
    ]) {
      const found = await find(filter, '&excludedAttributes=members');
      assert.deepEqual([found.totalResults, found.Resources], [1, [head]], filter);
    }
    assert.equal((await find(`id eq "${id}" and members eq "${bob}"`)).totalResults, 0);
    assert.deepEqual((await find('displayName eq "none"')).Resources, []);

    const put = await directory.call('PUT', `/Groups/${id}`, {
      displayName: 'Engineers',
      members: [{ value: bob }],
    });
    assert.deepEqual(
      [put.status, put.body.displayName, put.body.externalId, put.body.members.length],
      [200, 'Engineers', undefined, 1],
    );
    assert.deepEqual(await directory.membersOf(id), [bob]);
    assert.equal((await directory.call('DELETE', `/Groups/${id}`)).status, 204);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const gone = await directory.call(
        method,
        `/Groups/${id}`,
        method === 'PUT' ? { displayName: 'x' } : undefined,
      );
      assert.deepEqual([gone.status, gone.body.schemas], [404, [SCIM.error]], method);
    }
    const rows = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual(
      rows
        .filter(({ subject }) => subject === id)
        .map(({ kind, actor, data }) => [kind, actor, data])
        .reverse(),
      [
        ['directory_group_created', directory.id, { members: 1 }],
        ['directory_group_changed', directory.id, { renamed: true, added: 1, removed: 1 }],
        ['directory_group_removed', directory.id, { members: 1 }],
      ],
    );
  });

  test('members are changed in the forms of Entra ID and of Okta', async () => {
    const id = await directory.addGroup('Forms');
    const path = `/Groups/${id}`;
    const steps: readonly (readonly [string, object[], string[]])[] = [
      ['Entra adds', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: ada }] }], [ada]],
      ['Entra adds again', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: ada }] }], [ada]],
      [
        'Entra adds and removes one by one',
        [
          { op: 'Add', path: 'members', value: [{ value: bob }] },
          { op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] },
        ],
        [bob],
      ],
      [
        'Okta adds',
        [{ op: 'add', path: 'members', value: [{ value: ada, display: 'ada@groups.example' }] }],
        [ada, bob],
      ],
      ['Okta removes', [{ op: 'remove', path: `members[value eq "${bob}"]` }], [ada]],
      [
        'Okta replaces all',
        [{ op: 'replace', path: 'members', value: [{ value: bob, display: 'bob@groups.example' }] }],
        [bob],
      ],
      [
        'a removal of a person who is not in it',
        [{ op: 'remove', path: 'members[value eq "usr_none"]' }],
        [bob],
      ],
      ['without a path', [{ op: 'add', value: { members: [{ value: ada }] } }], [ada, bob]],
      [
        'with the URN of the schema',
        [{ op: 'Remove', path: `urn:ietf:params:scim:schemas:core:2.0:Group:members[value eq "${ada}"]` }],
        [bob],
      ],
      ['an empty list removes nobody', [{ op: 'Remove', path: 'members', value: [] }], [bob]],
      ['all of them', [{ op: 'remove', path: 'members' }], []],
    ];
    for (const [name, operations, expected] of steps) {
      const answer = await directory.patch(path, ...operations);
      assert.deepEqual([answer.status, answer.body], [204, null], `${name}: ${JSON.stringify(answer.body)}`);
      assert.deepEqual([...(await directory.membersOf(id))].sort(), [...expected].sort(), name);
    }
    for (const [operations, name] of [
      [[{ op: 'Replace', path: 'displayName', value: 'Renamed by Entra' }], 'Renamed by Entra'],
      [[{ op: 'replace', value: { id, displayName: 'Renamed by Okta' } }], 'Renamed by Okta'],
      [[{ op: 'Add', path: 'externalId', value: 'x-1' }], 'Renamed by Okta'],
    ] as const) {
      assert.equal((await directory.patch(path, ...operations)).status, 204);
      assert.equal((await directory.call('GET', path)).body.displayName, name);
    }
    assert.equal((await find('externalId eq "x-1"')).Resources[0].id, id);
  });

  test('what is not understood is refused in the format of SCIM, and changes nothing', async () => {
    const id = await directory.addGroup('Whole', [ada]);
    const taken = await directory.addGroup('Taken', [], { externalId: 'taken' });
    const add = (value: unknown) => ({ op: 'add', path: 'members', value });
    const patches: readonly (readonly [object[], string])[] = [
      [[add([{ value: bob }]), add([{ value: 'usr_unknown' }])], 'invalidValue'],
      [[add([{ value: '' }])], 'invalidValue'],
      [[add([{}])], 'invalidValue'],
      [[add([7])], 'invalidValue'],
      [[add(undefined)], 'invalidValue'],
      [[{ op: 'remove', path: 'members[display eq "x"]' }], 'invalidPath'],
      [[{ op: 'replace', path: `members[value eq "${ada}"]`, value: [] }], 'invalidPath'],
      [[{ op: 'remove' }], 'noTarget'],
      [[{ op: 'move', path: 'members' }], 'invalidSyntax'],
      [[{ op: 'remove', path: 'displayName' }], 'mutability'],
      [[{ op: 'replace', path: 'displayName', value: '' }], 'invalidValue'],
    ];
    for (const [operations, scimType] of patches) {
      const { status, body } = await directory.patch(`/Groups/${id}`, ...operations);
      const shown = `${JSON.stringify(operations)} → ${JSON.stringify(body)}`;
      assert.deepEqual([status, body?.scimType, body?.schemas], [400, scimType, [SCIM.error]], shown);
    }
    for (const [method, path, body] of [
      ['POST', '/Groups', { displayName: 'WHOLE' }],
      ['POST', '/Groups', { displayName: 'New', externalId: 'taken' }],
      ['PUT', `/Groups/${id}`, { displayName: 'taken' }],
    ] as const) {
      const answer = await directory.call(method, path, body);
      assert.deepEqual(
        [answer.status, answer.body.scimType],
        [409, 'uniqueness'],
        JSON.stringify(answer.body),
      );
    }
    const renamed = await directory.patch(`/Groups/${taken}`, {
      op: 'replace',
      value: { displayName: 'Whole' },
    });
    assert.equal(renamed.status, 409);
    for (const body of [
      {},
      { displayName: '' },
      { displayName: 'x', members: [{ value: 1 }] },
      { displayName: 'x'.repeat(257) },
    ]) {
      assert.equal(
        (await directory.call('POST', '/Groups', body)).status,
        400,
        JSON.stringify(body).slice(0, 60),
      );
    }
    assert.equal(
      (await directory.call('POST', '/Groups', { displayName: 'x', members: [{ value: id }] })).status,
      400,
      'a group in a group',
    );
    assert.equal(
      (await directory.call('GET', '/Groups?filter=displayName%20sw%20%22a%22')).body.scimType,
      'invalidFilter',
    );
    assert.deepEqual(await directory.membersOf(id), [ada], 'nothing changed');
    assert.equal((await find('displayName eq "New"')).totalResults, 0);
  });

  test('groups and people of another organization are unknown', async () => {
    const foreign = await addAccount(gateway, { plan: 'pro' });
    const other = await openDirectory(gateway, await signInAs(gateway, 'owner', foreign.organizationId));
    const stranger = (await other.addUser('stranger@groups.example')).id;
    const theirs = await other.addGroup('Theirs', [stranger]);
    assert.equal((await directory.call('GET', `/Groups/${theirs}`)).status, 404);
    assert.equal((await directory.patch(`/Groups/${theirs}`, { op: 'remove', path: 'members' })).status, 404);
    assert.equal((await directory.call('DELETE', `/Groups/${theirs}`)).status, 404);
    assert.equal((await find('displayName eq "Theirs"')).totalResults, 0);
    const mixed = await directory.call('POST', '/Groups', {
      displayName: 'Mixed',
      members: [{ value: stranger }],
    });
    assert.equal(mixed.status, 400);
    assert.equal(
      await directory.addGroup('Theirs').then(Boolean),
      true,
      'names are unique in an organization only',
    );
    assert.deepEqual(await other.membersOf(theirs), [stranger]);
  });

  test('a person whom the directory deletes leaves its groups; a deactivated one stays in them', async () => {
    const { id: leaver } = await directory.addUser('leaver@groups.example');
    const { id: paused } = await directory.addUser('paused@groups.example');
    const id = await directory.addGroup('Leavers', [leaver, paused]);
    await directory.patch(`/Users/${paused}`, { op: 'Replace', path: 'active', value: 'False' });
    assert.equal((await directory.call('DELETE', `/Users/${leaver}`)).status, 204);
    assert.deepEqual(await directory.membersOf(id), [paused]);
  });

  test('pages have at most twenty groups with members, and 200 without', async () => {
    for (let n = 0; n < 22; n++) await directory.addGroup(`Page ${n}`);
    const all = await list('excludedAttributes=members');
    assert.equal(all.itemsPerPage, all.totalResults);
    assert.equal((await list('attributes=id,displayName&count=200')).itemsPerPage, all.totalResults);
    const whole = await list('count=200');
    assert.deepEqual([whole.itemsPerPage, whole.totalResults], [20, all.totalResults]);
    const next = await list('startIndex=21&count=200');
    assert.deepEqual(
      [...whole.Resources, ...next.Resources].map(({ id }: { id: string }) => id),
      all.Resources.map(({ id }: { id: string }) => id),
    );
  });
});
