import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import { type Person, signInAs, type TestBrowser } from '../support/browser.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { readOpenApi } from '../support/openapi.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { makeForeignKey, makeObject } from './access-objects.ts';
import { ROUTES } from './access-table.ts';
import { makeObjects } from './dashboard-objects.ts';
import { DASHBOARD_ROUTES } from './dashboard-table.ts';

/** Ids in bodies that name an object of an organization. Names that callers choose (agents, sessions) do not count. */
const CALLERS_OWN = /(^|\.)(agent_id|session_id|end_user_id|client_id)$/;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
    >
  >;
}

type Answer = { readonly status: number; readonly body: unknown };

describe('ids and read-only members in request bodies', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let owner: TestBrowser & Person;
  let foreign: TestAccount;
  let stranger: TestBrowser & Person;
  let foreignKey: string;
  let ids: Record<string, string>;
  let document: Document;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
    owner = await signInAs(gateway, 'owner');
    foreign = await addAccount(gateway, { plan: 'enterprise' });
    stranger = await signInAs(gateway, 'owner', foreign.organizationId);
    foreignKey = await makeForeignKey(gateway);
    const [admin, viewer] = [await signInAs(gateway, 'admin'), await signInAs(gateway, 'viewer')];
    ids = await makeObjects(gateway, { admin, viewer, owner });
    document = await readOpenApi<Document>(gateway.address);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  const byKey = async (key: string, method: string, path: string, body: unknown): Promise<Answer> => {
    const answer = await gateway.call(method, `/api/v1${path}`, { key, bearer: PROVIDER_KEY, body });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  const byPage = async (who: TestBrowser, method: string, path: string, body: unknown): Promise<Answer> => {
    const { status, body: told } = await who.call(method, path, body);
    return { status, body: told };
  };

  /** Members of request bodies that contain an id, as a path of names, for every route. */
  function idsInBodies(): readonly (readonly [method: string, path: string, member: string])[] {
    const found: [string, string, string][] = [];
    const look = (schema: Schema | undefined, at: string, add: (member: string) => void): void => {
      for (const [name, inner] of Object.entries(schema?.properties ?? {})) {
        if (/_ids?$/.test(name)) add(at + name);
        look(inner, `${at}${name}.`, add);
      }
      for (const one of schema?.anyOf ?? []) look(one, at, add);
    };
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        look(requestBody?.content['application/json']?.schema, '', (member) => {
          if (!CALLERS_OWN.test(member)) found.push([method.toUpperCase(), path, member]);
        });
      }
    }
    return found;
  }

  function withMember(body: object, member: string, value: unknown): object {
    const [name = '', ...rest] = member.split('.');
    const inner = (body as Record<string, object>)[name] ?? {};
    return { ...body, [name]: rest.length === 0 ? value : withMember(inner, rest.join('.'), value) };
  }

  test('an id of another organization in a body gets the same response as an unknown id', async () => {
    const members = idsInBodies();
    assert.ok(members.length >= 12, JSON.stringify(members));
    const own: Readonly<Record<string, string | undefined>> = {
      ...ids,
      organization_id: gateway.account.organizationId,
    };
    for (const [method, path, member] of members) {
      const name = member.split('.').at(-1)!;
      const id =
        own[name.replace(/s$/, '')] ??
        assert.fail(`${path} takes ${member}: create such an object for this test`);
      const nowhere = `${id.slice(0, -6)}zzzzzz`;
      const isPage = path.startsWith('/dashboard');
      const place = path.replace(/^\/(dashboard|api\/v1)/, '');
      const base = (isPage ? DASHBOARD_ROUTES : ROUTES)[`${method} ${place}`]?.body?.() ?? {};
      const ask = (value: string) => {
        const body = withMember(base, member, name.endsWith('s') ? [value] : value);
        return isPage ? byPage(stranger, method, place, body) : byKey(foreignKey, method, place, body);
      };
      const shown = `${method} ${path} with ${member}`;
      const [ours, unknown] = [await ask(id), await ask(nowhere)];
      assert.equal(ours.status, unknown.status, `${shown}: ${JSON.stringify([ours, unknown])}`);
      // A 422 repeats the value that was sent.
      const withoutIds = (body: unknown, value: string) => plain(body).replaceAll(value, 'ID');
      if (ours.status >= 400)
        assert.equal(withoutIds(ours.body, id), withoutIds(unknown.body, nowhere), shown);
    }
  });

  test('read-only members in a body change nothing, on any route', async () => {
    const wishes = {
      id: 'chosen',
      organization_id: foreign.organizationId,
      organizationId: foreign.organizationId,
      created_by: foreign.accountId,
      requested_by: foreign.accountId,
      decided_by: foreign.accountId,
      created_at: '2000-01-01T00:00:00Z',
      is_active: false,
      isAdmin: true,
      plan: 'enterprise',
      scopes: ['*'],
      ['__proto__']: { status: 'approved' },
      constructor: { prototype: { role: 'owner' } },
    };
    const rowsOf = async () =>
      (await gateway.storage.audit.page(foreign.organizationId, { limit: 200 })).rows.length;
    const rowsBefore = await rowsOf();
    const usersBefore = await gateway.storage.members.list(gateway.account.organizationId);
    let requestCount = 0;
    const hold = (name: string, due: number, { status, body }: Answer): void => {
      requestCount += 1;
      const text = JSON.stringify(body) ?? '';
      assert.equal(status, due, `${name} with read-only members: ${text}`);
      for (const value of ['chosen', foreign.organizationId, foreign.accountId, '2000-01-01']) {
        assert.ok(!text.includes(value), `${name} stored ${value}: ${text}`);
      }
    };
    for (const [name, row] of Object.entries(ROUTES)) {
      const [method, path] = name.split(' ') as [string, string];
      if (row.body === undefined || row.device === 'only') continue;
      // A proxied body is the provider's to interpret, and comes back as the provider returns it.
      if (row.scope === 'proxy') continue;
      // JSON-RPC rejects unknown members.
      if (path === '/mcp') continue;
      const at = path.replace(/:\w+/, await makeObject(gateway, path));
      hold(name, row.status ?? 200, await byKey(gateway.key, method, at, { ...row.body(), ...wishes }));
    }
    for (const [name, row] of Object.entries(DASHBOARD_ROUTES)) {
      const [method, path] = name.split(' ') as [string, string];
      if (row.body === undefined || row.endsCaller || row.who === 'open') continue;
      const at = path.replace(/:(\w+)/g, (_, id: string) => ids[id] ?? assert.fail(id));
      // The own object exists, so the call succeeds; the table calls with a missing id and expects 404.
      const body = row.body();
      // The passwords in the table are wrong.
      const refused = 'current_password' in body ? 422 : 409;
      const due = path.includes(':') ? [200, 204, refused] : [row.status ?? 200];
      // The caller chooses the scopes of a token among the known ones.
      const chosen = 'scopes' in body ? { scopes: body.scopes } : {};
      const answer = await byPage(owner, method, at, { ...body, ...wishes, ...chosen });
      assert.ok(due.includes(answer.status), `${name} with read-only members: ${JSON.stringify(answer)}`);
      hold(name, answer.status, answer);
    }
    assert.ok(requestCount > 40, `only ${requestCount} routes`);
    assert.equal(await rowsOf(), rowsBefore, 'the audit log of the other organization has new rows');
    const roles = (members: readonly { userId: string; role: string }[]) =>
      members.filter(({ userId }) => userId !== ids['user_id']).map(({ userId, role }) => [userId, role]);
    assert.deepEqual(
      roles(await gateway.storage.members.list(gateway.account.organizationId)),
      roles(usersBefore),
    );
    assert.equal(({} as Record<string, unknown>)['role'], undefined, 'a prototype was changed');
  });
});

/** Returns an error without the parts that differ in every response. */
function plain(body: unknown): string {
  return JSON.stringify(body, (name, value) =>
    /^(event_id|error_id|requested_at|latency_ms)$/.test(name) ? 0 : value,
  );
}
