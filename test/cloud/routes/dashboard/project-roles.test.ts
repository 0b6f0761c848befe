import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MemberRecord, ProjectRoleRecord, SessionResponse } from '@csg/shared/contract';
import { DASHBOARD_ROUTES } from '../../../e2e/dashboard-table.ts';
import { addAccount, addKeyOf } from '../../../support/accounts.ts';
import { onBothDatabases } from '../../../support/both-databases.ts';
import { type Person, signInAs, type TestBrowser } from '../../../support/browser.ts';
import type { TestGateway } from '../../../support/gateway.ts';

const REQUESTER = { deviceId: null, requestedBy: 'key_x', requesterUserId: null, justification: null };

onBothDatabases('roles in a project', (start) => {
  let gateway: TestGateway;
  let admin: TestBrowser & Person;
  let person: TestBrowser & Person;
  let shop: string;
  let other: string;
  let foreign: string;
  before(async () => {
    gateway = await start();
    admin = await signInAs(gateway, 'admin');
    person = await signInAs(gateway, 'viewer');
    const { organizationId } = gateway.account;
    shop = (await gateway.storage.projects.insert(organizationId, { name: 'Shop' })).id;
    other = (await gateway.storage.projects.insert(organizationId, { name: 'Other' })).id;
    foreign = (await addAccount(gateway, { plan: 'enterprise' })).projectId;
  });
  after(() => gateway.close());

  const give = (role: string, projectId = shop, userId = person.userId) =>
    admin.call('PUT', `/projects/${projectId}/roles/${userId}`, { role });

  test('let an admin of one project change everything in it, and nothing in another', async () => {
    const ofProjects = Object.entries(DASHBOARD_ROUTES).filter(
      ([route, { who }]) => route.includes('/projects/:project_id') && who === 'admin',
    );
    assert.ok(ofProjects.length > 15);
    const call = (route: string, projectId: string) => {
      const [method = '', path = ''] = route.split(' ');
      const filled = path.replace(':project_id', projectId).replaceAll(/:\w+/g, 'none');
      return person.call(method, filled, DASHBOARD_ROUTES[route]?.body?.());
    };
    assert.equal((await give('admin')).status, 204);
    // Deleting comes last.
    for (const [route] of ofProjects.sort(([one], [two]) => (one < two ? 1 : -1))) {
      if (route === 'DELETE /projects/:project_id') continue;
      for (const projectId of [other, foreign, 'proj_none']) {
        const refused = await call(route, projectId);
        assert.equal(refused.error['code'], 'insufficient_role', `${route} in ${projectId}`);
      }
      const own = await call(route, shop);
      assert.notEqual(own.status, 403, `${route}: ${JSON.stringify(own.body)}`);
    }
    const spare = (await gateway.storage.projects.insert(gateway.account.organizationId, { name: 'Spare' }))
      .id;
    assert.equal((await person.call('DELETE', `/projects/${spare}`)).error['code'], 'insufficient_role');
    await give('admin', spare);
    assert.equal((await person.call('DELETE', `/projects/${spare}`)).status, 204);
    const left = await gateway.storage.members.listProjectRoles(gateway.account.organizationId, {
      userId: person.userId,
    });
    assert.deepEqual(
      left.map(({ projectId }) => projectId),
      [shop],
      'the role ends with the project',
    );
  });

  test('give no permission for the organization', async () => {
    await give('admin');
    for (const [route, { who, body }] of Object.entries(DASHBOARD_ROUTES)) {
      const [method = '', path = ''] = route.split(' ');
      const isOfProject =
        path.includes(':project_id') || /^\/(keys|feedback|allowed-texts|events|endpoints)/.test(path);
      if ((who !== 'admin' && who !== 'owner') || isOfProject || /decision/.test(path)) continue;
      const refused = await person.call(method, path.replaceAll(/:\w+/g, 'none'), body?.());
      assert.equal(refused.error['code'], 'insufficient_role', route);
    }
    const project = await person.call('POST', '/projects', { name: 'Mine' });
    assert.equal(project.error['code'], 'insufficient_role');
    const key = await person.call('POST', '/keys', { name: 'Unbound', project_id: other });
    assert.equal(key.error['code'], 'insufficient_role');
  });

  test('let a member of the project manage their own keys in it, and an admin of it all keys', async () => {
    await give('member');
    const made = await person.call<{ id: string }>('POST', '/keys', { name: 'Mine', project_id: shop });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const place = { organizationId: gateway.account.organizationId, projectId: shop };
    await addKeyOf(gateway, place, admin.userId);
    const keys = await gateway.storage.keys.list(place.organizationId, { projectId: shop });
    const ofAdmin = keys.find(({ userId }) => userId === admin.userId)!;
    assert.equal((await person.call('PUT', `/keys/${made.body.id}/toggle`)).status, 200);
    assert.equal((await person.call('PUT', `/keys/${ofAdmin.id}/toggle`)).status, 403);
    const manages = async (id: string) => {
      const { body } = await person.call<{ id: string; can_manage: boolean }[]>('GET', '/keys');
      return body.find((key) => key.id === id)?.can_manage;
    };
    assert.deepEqual([await manages(made.body.id), await manages(ofAdmin.id)], [true, false]);
    await give('admin');
    assert.equal((await person.call('PUT', `/keys/${ofAdmin.id}/toggle`)).status, 200);
    assert.equal(await manages(ofAdmin.id), true);
  });

  test('let an admin of the project decide requests of that project only', async () => {
    await give('admin');
    const { organizationId } = gateway.account;
    const request = async (projectId: string | null) =>
      await gateway.storage.requests.insert(organizationId, 'exception', {
        ...REQUESTER,
        projectId,
        destinationHost: 'api.openai.com',
        subject: 'api.openai.com',
        policyId: null,
        threat: null,
        reasonCategory: null,
        requestedMinutes: 30,
        eventId: null,
      });
    const decide = async (projectId: string | null) => {
      const { id } = await request(projectId);
      return await person.call('POST', `/exceptions/${id}/decision`, { decision: 'approve' });
    };
    assert.equal((await decide(shop)).status, 200);
    assert.equal((await decide(other)).error['code'], 'insufficient_role');
    assert.equal((await decide(null)).error['code'], 'insufficient_role', 'of the whole organization');
    const many = await person.call<{ decided: unknown[]; failed: { code: string }[] }>(
      'POST',
      '/approvals/decisions',
      {
        decision: 'deny',
        requests: [
          { kind: 'exception', id: (await request(shop)).id },
          { kind: 'exception', id: (await request(other)).id },
        ],
      },
    );
    assert.deepEqual(
      [many.body.decided.length, many.body.failed.map(({ code }) => code)],
      [1, ['insufficient_role']],
    );
  });

  test('are listed with the project, the members and the session, and recorded in the audit log', async () => {
    await give('member');
    const { body } = await person.call<ProjectRoleRecord[]>('GET', `/projects/${shop}/roles`);
    assert.deepEqual(
      body.map(({ user_id, role, organization_role, given_by }) => [
        user_id,
        role,
        organization_role,
        given_by,
      ]),
      [[person.userId, 'member', 'viewer', admin.email]],
    );
    const members = await admin.call<MemberRecord[]>('GET', '/members');
    assert.deepEqual(members.body.find(({ user_id }) => user_id === person.userId)?.project_roles, [
      { project_id: shop, role: 'member' },
    ]);
    const session = await person.call<SessionResponse>('GET', '/session');
    assert.deepEqual(session.body.organization?.project_roles, [{ project_id: shop, role: 'member' }]);
    await give('admin');
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual(
      [row?.kind, row?.actor, row?.subject, row?.data],
      [
        'project_role_changed',
        admin.userId,
        person.userId,
        { project_id: shop, was: 'member', role: 'admin' },
      ],
    );
  });

  test('are given by an organization token up to that of a member', async () => {
    const { body } = await admin.call<{ token: string }>('POST', '/organization-tokens', {
      ...{ name: 'Terraform', scopes: ['members'] },
    });
    const byToken = async (role: string) => {
      const response = await fetch(`${gateway.address}/dashboard/projects/${shop}/roles/${person.userId}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ role }),
      });
      return response.status;
    };
    assert.deepEqual([await byToken('member'), await byToken('admin')], [204, 403]);
  });

  test('end when they are removed, and with the membership', async () => {
    await give('admin');
    const change = () => person.call('PATCH', `/projects/${shop}`, { description: 'ours' });
    assert.equal((await change()).status, 200);
    const remove = () => admin.call('DELETE', `/projects/${shop}/roles/${person.userId}`);
    assert.equal((await remove()).status, 204);
    assert.equal((await change()).error['code'], 'insufficient_role');
    assert.equal((await remove()).status, 404, 'the role is gone');

    const leaver = await signInAs(gateway, 'viewer');
    assert.equal((await give('admin', shop, leaver.userId)).status, 204);
    assert.equal((await admin.call('DELETE', `/members/${leaver.userId}`)).status, 204);
    await gateway.storage.members.add(gateway.account.organizationId, leaver.userId, 'viewer');
    const again = await leaver.call('PATCH', `/projects/${shop}`, { description: 'ours' });
    assert.equal(again.error['code'], 'insufficient_role', 'a member who comes back has to be given it anew');
  });

  test('are for members of the organization who are not admins, in a project of it', async () => {
    assert.equal((await give('admin', shop, admin.userId)).error['code'], 'invalid_state');
    assert.equal((await give('owner')).status, 422);
    assert.equal((await give('viewer')).status, 422, 'would change nothing');
    assert.equal((await give('admin', foreign)).status, 404);
    const stranger = await signInAs(gateway, 'owner', (await addAccount(gateway, null)).organizationId);
    assert.equal((await give('admin', shop, stranger.userId)).status, 404);
    assert.equal((await stranger.call('GET', `/projects/${shop}/roles`)).status, 404);
  });
});
