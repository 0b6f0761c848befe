import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CSRF_HEADER, ownEndpointId } from '@csg/shared/contract';
import type { Role } from '../../apps/cloud/src/storage/storage.ts';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import {
  type Answer,
  addPerson,
  openBrowser,
  type Person,
  signInAs,
  type TestBrowser,
} from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { readOpenApi } from '../support/openapi.ts';
import { listRoutes } from '../support/route-list.ts';
import { makeObjects, recordBlock } from './dashboard-objects.ts';
import { DASHBOARD_ROUTES, type DashboardRow } from './dashboard-table.ts';
import {
  createDocumentedResponses,
  type DocumentedPaths,
  type DocumentedResponses,
} from './documented-responses.ts';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, auditor: 0, member: 1, admin: 2, owner: 3 };
const ROLES = Object.keys(RANK) as Role[];
const mayCall = (role: Role, row: DashboardRow): boolean =>
  RANK[role] >= RANK[row.who as Role] || (row.isForAuditors === true && role === 'auditor');
/** Files and pages: the same for every caller. */
const FILES = /^\/dashboard\/(?:$|assets\/|icon\.svg$|scheme\.js$)/;

type Caller = TestBrowser & Person;

describe('every dashboard route × every caller', () => {
  let gateway: TestGateway;
  let foreign: TestAccount;
  let stranger: Caller;
  let anonymous: TestBrowser;
  let homeless: TestBrowser;
  const callers = {} as Record<Role, Caller>;
  /** Our ids, by their name in addresses. */
  let ids: Record<string, string>;
  let documented: DocumentedResponses;

  before(async () => {
    gateway = await startGateway();
    for (const role of ROLES) callers[role] = await signInAs(gateway, role);
    foreign = await addAccount(gateway, { plan: 'enterprise' });
    stranger = await signInAs(gateway, 'owner', foreign.organizationId);
    anonymous = openBrowser(gateway);
    homeless = openBrowser(gateway);
    await homeless.signIn((await addPerson(gateway)).email);
    // Older than all our objects: lists filtered by our ids would show these.
    await stranger.call('POST', '/invitations', { email: 'theirs@example.com', role: 'viewer' });
    await gateway.storage.deliveries.enqueue(foreign.organizationId, [
      {
        ...{ endpointId: ownEndpointId('webhook', foreign.projectId), projectId: foreign.projectId },
        ...{ event: 'threat.blocked', eventId: null, payload: '{}' },
      },
    ]);
    await recordBlock(gateway, foreign);
    ids = await makeObjects(gateway, callers);
    const document = await readOpenApi<{ paths: DocumentedPaths }>(gateway.address);
    documented = createDocumentedResponses(document.paths);
  });
  after(() => gateway.close());

  const rows = (): readonly (readonly [string, string, string, DashboardRow])[] =>
    Object.entries(DASHBOARD_ROUTES).map(([name, row]) => {
      const [method, path] = name.split(' ') as [string, string];
      return [name, method, path, row];
    });
  /** Names that the table spells out. */
  const asRoute = (path: string): string => path.replace('/openai', '/:provider').replace('/crm', '/:name');
  const parameterOf = (path: string): string | undefined => /:(\w+)/.exec(path)?.[1];
  const none = (path: string): string => path.replace(/:\w+/, 'nothing');
  const ours = (path: string): string =>
    path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? assert.fail(name));

  function hold(method: string, path: string, answer: Answer): string {
    const text =
      Object.keys(answer.body).length === 0 && answer.status === 204 ? '' : JSON.stringify(answer.body);
    return documented.hold(method, `/dashboard${asRoute(path).replace(/:(\w+)/g, '{$1}')}`, {
      ...answer,
      text,
    });
  }

  test('the table lists exactly the registered routes', () => {
    const methodsOf = new Map<string, Set<string>>();
    const known = new Set(Object.keys(DASHBOARD_ROUTES).map(asRoute));
    for (const { method, url } of listRoutes(gateway.app)) {
      if (!url.startsWith('/dashboard') || FILES.test(url)) continue;
      methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(method));
      const isOurs = [...known].some((name) => name.endsWith(` ${url.slice('/dashboard'.length)}`));
      assert.ok(isOurs, `${url} is not in the table: add who may call it`);
    }
    for (const name of known) {
      const [method, path] = name.split(' ') as [string, string];
      assert.ok(methodsOf.get(`/dashboard${path}`)?.has(method), `${name} is not a route`);
    }
  });

  test('every documented route is in the table', async () => {
    const document = await readOpenApi<{ paths: DocumentedPaths }>(gateway.address);
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith('/dashboard/')) continue;
      const place = path
        .slice('/dashboard'.length)
        .replace('{provider}', 'openai')
        .replace('{name}', 'crm')
        .replace(/\{(\w+)\}/g, ':$1');
      for (const method of Object.keys(methods)) {
        const name = `${method.toUpperCase()} ${place}`;
        assert.ok(DASHBOARD_ROUTES[name] !== undefined, `${name} is not in the table: add who may call it`);
      }
    }
  });

  test('callers without a session, an organization or the role get an error and change nothing', async () => {
    for (const [name, method, path, row] of rows()) {
      if (row.who === 'open') continue;
      const refused = await anonymous.call(method, ours(path), row.body?.());
      assert.equal(refused.status, 401, `no session: ${hold(method, path, refused)}`);
      assert.equal(refused.error['code'], 'not_signed_in', name);
      if (row.who === 'person') continue;
      const outside = await homeless.call(method, ours(path), row.body?.());
      assert.equal(outside.status, 403, `no organization: ${hold(method, path, outside)}`);
      assert.equal(outside.error['required_role'], row.who, name);
      for (const role of ROLES) {
        if (mayCall(role, row)) continue;
        const weak = await callers[role].call(method, ours(path), row.body?.());
        assert.equal(weak.status, 403, `${role}: ${hold(method, path, weak)}`);
        assert.equal(weak.error['code'], 'insufficient_role', name);
        assert.equal(weak.error['required_role'], row.who, name);
      }
    }
  });

  test('a change without the CSRF token, or from another site, is rejected for every role', async () => {
    for (const [name, method, path, row] of rows()) {
      if (method === 'GET') continue;
      const who = callers.owner;
      if (row.who !== 'open') {
        const forged = await who.call(method, ours(path), row.body?.(), { [CSRF_HEADER]: '' });
        assert.equal(forged.status, 403, `without a token: ${hold(method, path, forged)}`);
        assert.equal(forged.error['code'], 'foreign_request', name);
      }
      const elsewhere = await who.call(method, ours(path), row.body?.(), { 'sec-fetch-site': 'cross-site' });
      assert.equal(elsewhere.error['code'], 'foreign_request', name);
    }
  });

  test('another organization’s owner gets the same response for our objects as for missing ones', async () => {
    for (const [name, method, path, row] of rows()) {
      if (row.who === 'open' || parameterOf(path) === undefined) continue;
      const missing = await stranger.call(method, none(path), row.body?.());
      const real = await stranger.call(method, ours(path), row.body?.());
      const shown = hold(method, path, real);
      assert.equal(missing.status, 404, `${name}: ${hold(method, path, missing)}`);
      assert.equal(real.status, 404, shown);
      assert.deepEqual(real.error, missing.error, shown);
    }
    const secrets = Object.values(ids);
    for (const [name, method, path, row] of rows()) {
      if (method !== 'GET' || row.who === 'open' || parameterOf(path) !== undefined) continue;
      const text = JSON.stringify((await stranger.call(method, path)).body);
      for (const id of secrets)
        assert.ok(!text.includes(id), `${name} reveals ${id} to another organization`);
    }
    await holdQueries();
    const foreignProject = await stranger.call('POST', '/keys', { name: 'x', project_id: ids['project_id'] });
    assert.equal(foreignProject.status, 404, 'the same for ids in bodies');
    const foreignEnrollment = await stranger.call('POST', '/enrollments', { project_id: ids['project_id'] });
    assert.equal(foreignEnrollment.status, 404);
    const successor = await stranger.call('POST', '/organization/transfer', {
      user_id: ids['user_id'],
      current_password: 'a long quiet river bends',
    });
    assert.equal(successor.status, 404);
  });

  /** Asserts that our id as a filter or a page position reveals no more than a missing id. */
  async function holdQueries(): Promise<void> {
    const document = await readOpenApi<{
      paths: Record<string, { get?: { parameters?: { in: string; name: string }[] } }>;
    }>(gateway.address);
    let requestCount = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!path.startsWith('/dashboard/') || path.includes('{')) continue;
      for (const { in: place, name } of get?.parameters ?? []) {
        if (place !== 'query' || !/_id$|^(before|actor|subject)$/.test(name)) continue;
        const own = ids[name];
        for (const id of own === undefined ? Object.values(ids) : [own]) {
          const ask = async (value: string) => {
            const answer = await stranger.call('GET', `${path.slice('/dashboard'.length)}?${name}=${value}`);
            // A 422 repeats the value that was sent.
            const text = JSON.stringify(answer.body).replaceAll(value, 'ID');
            return { status: answer.status, body: JSON.parse(text) };
          };
          const nowhere = `${id.slice(0, -6)}zzzzzz`;
          assert.deepEqual(await ask(id), await ask(nowhere), `${path}?${name}=${id} reveals that it exists`);
          requestCount += 1;
        }
      }
    }
    assert.ok(requestCount > 40, `only ${requestCount} requests`);
  }

  test('every permitted role gets the documented response', async () => {
    for (const [name, method, path, row] of rows()) {
      if (row.endsCaller) continue;
      const due = row.status ?? (parameterOf(path) === undefined ? 200 : 404);
      const allowed: readonly (readonly [string, TestBrowser])[] =
        row.who === 'open'
          ? [['no session', anonymous]]
          : ROLES.filter((role) => row.who === 'person' || mayCall(role, row)).map(
              (role) => [role, callers[role]] as const,
            );
      for (const [role, browser] of allowed) {
        const answer = await browser.call(method, none(path), row.body?.());
        assert.equal(answer.status, due, `${name} as ${role}: ${hold(method, path, answer)}`);
        hold(method, path, answer);
      }
    }
  });

  test('every permitted role can read our objects', async () => {
    for (const [name, method, path, row] of rows()) {
      if (method !== 'GET' || parameterOf(path) === undefined || row.who === 'person') continue;
      const answer = await callers[row.who as Role].call(method, ours(path));
      assert.equal(answer.status, 200, `${name}: ${hold(method, path, answer)}`);
      hold(method, path, answer);
    }
  });

  test('a wrong body gets a 422 that points to the body', async () => {
    for (const [name, method, path, row] of rows()) {
      if (row.body === undefined) continue;
      const browser = row.who === 'open' ? anonymous : callers.owner;
      const answer = await browser.call<{ detail?: { loc: unknown[] }[] }>(method, none(path), 'a text');
      assert.equal(answer.status, 422, `${name}: ${hold(method, path, answer as unknown as Answer)}`);
      assert.equal(answer.body.detail?.[0]?.loc[0], 'body', name);
    }
  });

  test('every directory route accepts a directory token only', async () => {
    const session = callers.owner.cookies.get('session') as string;
    const document = await readOpenApi<{ paths: DocumentedPaths }>(gateway.address);
    const { token } = await gateway.storage.directory.createToken(gateway.account.organizationId, {
      name: 'Directory',
      createdBy: 'usr_x',
    });
    let requestCount = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith('/scim/')) continue;
      for (const method of Object.keys(methods)) {
        const ask = (headers: Record<string, string>) =>
          fetch(`${gateway.address}${path.replace(/\{\w+\}/, ids['user_id'] as string)}`, {
            method: method.toUpperCase(),
            headers,
          });
        for (const headers of [
          {},
          { authorization: 'Bearer svc_scim_unknown' },
          { authorization: `Bearer ${gateway.key}` },
          { authorization: `Basic ${btoa(`x:${token}`)}` },
          { 'x-api-key': gateway.key },
          { cookie: `session=${session}` },
        ]) {
          const answer = await ask(headers as Record<string, string>);
          assert.equal(answer.status, 401, `${method} ${path} ${JSON.stringify(headers)}`);
          documented.hold(method, path, { status: 401, headers: answer.headers, text: await answer.text() });
        }
        if (method === 'get') assert.ok((await ask({ authorization: `Bearer ${token}` })).status < 405);
        requestCount += 1;
      }
    }
    assert.ok(requestCount >= 11, `only ${requestCount} routes`);
  });
});
