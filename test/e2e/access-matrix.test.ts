import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS, type Permission } from '@csg/shared/contract';
import Fastify from 'fastify';
import { requireRouteAccess } from '../../apps/cloud/src/plugins/route-access.ts';
import { makeKey, parseKey } from '../../apps/cloud/src/storage/key-format.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { createManualClock } from '../support/clock.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { isWhole } from '../support/part.ts';
import { listRoutes } from '../support/route-list.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { makeObject } from './access-objects.ts';
import { chat, OPEN, ROUTES, type Row } from './access-table.ts';

interface Due {
  readonly status: number;
  readonly code?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

interface KeyState {
  readonly name: string;
  readonly key: string | null;
  /** The expected response of a route that requires a key. */
  readonly due: (row: Row & { scope: Permission }) => Due;
}

const EDGE_LIMIT = 2_000_000;
const ACCOUNT_LIMIT = 1_000_000;
const ALIASES = ['/api/v1', '/api/v1/proxy'];
/** How keys are read does not depend on the route: with every prefix and method, these have the results that do. */
const DEPENDS = /^(?:no key|scope proxy|a device|an unrestricted key)$/;

describe('every route × every key state', () => {
  const clock = createManualClock();
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let states: KeyState[];
  let calls = 0;

  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({
      providerUrl: testProvider.url,
      clock,
      // Both limits apply, so that every response must have their headers, and are too high to be reached.
      env: { EDGE_LIMIT_PER_MINUTE: String(EDGE_LIMIT) },
    });
    await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: ACCOUNT_LIMIT });
    states = await makeStates();
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  async function makeStates(): Promise<KeyState[]> {
    const organization = gateway.account.organizationId;
    const disabled = await gateway.addKey();
    await gateway.storage.keys.setActive(organization, disabled.record.id, false);
    const deleted = await gateway.addKey();
    await gateway.storage.keys.remove(organization, deleted.record.id);
    const expired = await gateway.addKey({ expiresAtMs: clock.now() });
    const revoked = await gateway.addDevice();
    const [device] = await gateway.storage.devices.list(organization);
    await gateway.storage.devices.revoke(organization, device!.id);
    const mistyped = `${gateway.key.slice(0, -1)}${gateway.key.endsWith('a') ? 'b' : 'a'}`;
    assert.equal(parseKey(mistyped).kind, 'mistyped');
    const refused = (code: 'missing_api_key' | 'invalid_api_key') => (row: Row) =>
      row.endpoint === true
        ? { status: 401, code: 'unauthorized', fields: { reason: code } }
        : { status: 401, code };
    const denied = (row: Row): Due => ({
      status: 403,
      code: 'insufficient_scope',
      fields: { required_scope: row.device === 'only' ? 'device' : row.scope },
    });
    const due = (row: Row): Due => (row.device === 'only' ? denied(row) : { status: row.status ?? 200 });
    const restricted = await Promise.all(
      PERMISSIONS.map(async (permission): Promise<KeyState> => {
        const { plain } = await gateway.addKey({ permissions: [permission] });
        return {
          name: `scope ${permission}`,
          key: plain,
          due: (row) =>
            row.scope === permission || row.orScopes?.includes(permission) ? due(row) : denied(row),
        };
      }),
    );
    return [
      { name: 'no key', key: null, due: refused('missing_api_key') },
      { name: 'an empty key', key: '', due: refused('missing_api_key') },
      { name: 'a malformed key', key: 'hello', due: refused('invalid_api_key') },
      { name: "a provider's key", key: PROVIDER_KEY, due: refused('invalid_api_key') },
      { name: 'a mistyped key', key: mistyped, due: refused('invalid_api_key') },
      { name: 'an unknown key', key: makeKey(), due: refused('invalid_api_key') },
      { name: 'a deleted key', key: deleted.plain, due: refused('invalid_api_key') },
      { name: 'a revoked device', key: revoked, due: refused('invalid_api_key') },
      { name: 'a disabled key', key: disabled.plain, due: () => ({ status: 401, code: 'disabled_api_key' }) },
      { name: 'an expired key', key: expired.plain, due: () => ({ status: 401, code: 'expired_api_key' }) },
      ...restricted,
      {
        name: 'a device',
        key: await gateway.addDevice(),
        due: (row) => (row.device ? { status: row.status ?? 200 } : denied(row)),
      },
      { name: 'an unrestricted key', key: gateway.key, due },
    ];
  }

  /** Calls a route on an object of its own and compares the response with the expected one, headers included. */
  async function check(name: string, method: string, path: string, key: string | null, row: Row, due: Due) {
    calls++;
    const url = path.replace(/:\w+/, await makeObject(gateway, path));
    const body = method === 'HEAD' ? undefined : row.body?.();
    const caller = row.endsDevice && due.status === 200 ? await gateway.addDevice() : key;
    const response = await gateway.call(method, url, { key: caller, bearer: PROVIDER_KEY, body });
    const text = await response.text();
    const shown = `${method} ${path} with ${name} → ${response.status} ${text.slice(0, 200)}`;
    assert.equal(response.status, due.status, shown);
    holdHeaders(response, shown);
    // A known caller gets the account's rate limit headers, also when rejected.
    const limit = row.scope === null || due.status === 401 ? EDGE_LIMIT : ACCOUNT_LIMIT;
    assert.equal(Number(response.headers.get('x-ratelimit-limit')), limit, shown);
    if (due.code === undefined || method === 'HEAD') return;
    const { error } = JSON.parse(text) as { error: Record<string, unknown> };
    assert.equal(error['code'], due.code, shown);
    assert.equal(typeof error['message'], 'string', shown);
    if (due.status === 401) assert.equal(error['type'], 'authentication_error', shown);
    if (due.status === 403) assert.equal(error['type'], 'permission_error', shown);
    for (const [field, value] of Object.entries(due.fields ?? {})) assert.equal(error[field], value, shown);
  }

  function holdHeaders(response: Response, shown: string): void {
    const { headers } = response;
    assert.match(headers.get('x-request-id') ?? '', /^req_\w{10,}$/, shown);
    assert.match(headers.get('x-service-event-id') ?? '', /^evt_\w{10,}$/, shown);
    assert.match(headers.get('x-service-decision') ?? '', /^(allow|block|redact)$/, shown);
    assert.match(headers.get('x-service-confidence') ?? '', /^(0|1)\.\d{1,4}$/, shown);
    assert.match(headers.get('x-service-threat-type') ?? '', /^[a-z_]+$/, shown);
    assert.match(headers.get('x-ratelimit-limit') ?? '', /^\d+$/, shown);
    assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/, shown);
    const resetS = Number(headers.get('x-ratelimit-reset'));
    assert.ok(resetS * 1000 > clock.now() && resetS * 1000 <= clock.now() + 60_000, shown);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', shown);
  }

  test('the table lists every route, and every route of the table is registered under both prefixes', () => {
    const listed = developersRoutes(gateway);
    assert.ok(listed.length > 100, 'the list of routes could not be read');
    const known = new Set(listed.map(({ method, url }) => `${method} ${url}`));
    for (const name of Object.keys(ROUTES)) {
      const [method, path] = name.split(' ') as [string, string];
      for (const prefix of ALIASES) assert.ok(known.has(`${method} ${prefix}${path}`), `${prefix} ${name}`);
    }
    for (const { url } of listed) {
      const path = url.replace(
        /^\/api\/(?:openai(?:\/v1|\/deployments\/:deployment)?|v1beta|v1(?:\/proxy)?)(?=\/)/,
        '',
      );
      const isKnown =
        path === url ? OPEN.includes(url) : Object.keys(ROUTES).some((name) => name.endsWith(` ${path}`));
      assert.ok(isKnown, `${url} is not in the table: add who may call it`);
    }
  });

  test('every route responds as the table says, for every key state, under both prefixes', async () => {
    for (const [name, row] of Object.entries(ROUTES)) {
      const [method, path] = name.split(' ') as [string, string];
      for (const prefix of ALIASES) {
        await Promise.all(
          states
            .filter(({ name }) => isWhole || prefix === ALIASES[0] || DEPENDS.test(name))
            .map((state) => {
              const due =
                row.scope === null ? { status: row.status ?? 200 } : state.due({ ...row, scope: row.scope });
              return check(state.name, method, prefix + path, state.key, row, due);
            }),
        );
      }
    }
    assert.ok(
      calls >= Object.keys(ROUTES).length * (22 + (isWhole ? 22 : 4)),
      `only ${calls} calls were made`,
    );
  });

  test('HEAD requires the same key as GET', async () => {
    for (const [name, row] of Object.entries(ROUTES)) {
      const [method, path] = name.split(' ') as [string, string];
      if (method !== 'GET') continue;
      for (const state of states.filter(({ name }) => isWhole || DEPENDS.test(name))) {
        const due = row.scope === null ? { status: 200 } : state.due({ ...row, scope: row.scope });
        await check(state.name, 'HEAD', `/api/v1${path}`, state.key, row, due);
      }
    }
  });

  test('every other method gets 405 with the allowed methods, for any caller', async () => {
    for (const { method, url } of developersRoutes(gateway)) {
      // fetch cannot send TRACE; hostile-http does.
      if (method === 'TRACE') continue;
      const path = url.replace(
        /^\/api\/(?:openai(?:\/v1|\/deployments\/:deployment)?|v1beta|v1(?:\/proxy)?)(?=\/)/,
        '',
      );
      const taken = Object.keys(ROUTES).filter((name) => name.endsWith(` ${path}`));
      if (path === url || taken.some((name) => name.startsWith(`${method} `))) continue;
      if (method === 'HEAD' && taken.some((name) => name.startsWith('GET '))) continue;
      for (const key of [gateway.key, null]) {
        const response = await gateway.call(method, url, { key });
        const shown = `${method} ${url} → ${response.status}`;
        assert.equal(response.status, 405, shown);
        holdHeaders(response, shown);
        for (const name of taken) {
          assert.ok((response.headers.get('allow') ?? '').split(', ').includes(name.split(' ')[0]!), shown);
        }
      }
    }
  });

  test('a preflight request needs no key and gets the usual headers', async () => {
    for (const name of Object.keys(ROUTES)) {
      const response = await fetch(`${gateway.address}/api/v1${name.split(' ')[1]}`, {
        method: 'OPTIONS',
        headers: { origin: gateway.address, 'access-control-request-method': 'POST' },
      });
      assert.equal(response.status, 204, name);
      assert.equal(response.headers.get('access-control-allow-origin'), gateway.address);
      // No rate limit applies to a preflight request.
      assert.match(response.headers.get('x-request-id') ?? '', /^req_/, name);
      assert.match(response.headers.get('x-service-event-id') ?? '', /^evt_/, name);
      assert.equal(response.headers.get('x-service-decision'), 'allow', name);
      assert.equal(response.headers.get('x-service-threat-type'), 'none', name);
    }
  });

  test('a rejected caller reaches no provider and uses no quota', async () => {
    await gateway.storage.flush();
    const usedBefore = await usage();
    const requestCount = testProvider.requests.length;
    for (const state of states.filter(({ name }) => !/proxy|unrestricted/.test(name))) {
      await gateway.call('POST', '/api/v1/chat/completions', {
        key: state.key,
        bearer: PROVIDER_KEY,
        body: chat(),
      });
    }
    assert.equal(testProvider.requests.length, requestCount);
    assert.equal(await usage(), usedBefore);
  });

  async function usage(): Promise<number> {
    const response = await gateway.call('GET', '/api/v1/usage/stats');
    return ((await response.json()) as { requests_used: number }).requests_used;
  }

  test('a key is accepted in X-API-Key, else in the providers’ own headers, and nowhere else', async () => {
    const body = { content: 'x' };
    const carriers: Record<string, string>[] = [
      { authorization: `Bearer ${gateway.key}` },
      { 'api-key': gateway.key },
      { 'x-goog-api-key': gateway.key },
    ];
    for (const headers of carriers) {
      const scan = (key: string | null) =>
        gateway.call('POST', '/api/v1/security/scan', { key, headers, body });
      assert.equal((await scan(null)).status, 200, JSON.stringify(Object.keys(headers)));
      assert.equal((await scan('hello')).status, 401, 'a key in X-API-Key takes precedence');
    }
    const elsewhere: Record<string, string>[] = [
      { authorization: gateway.key },
      { authorization: `Basic ${gateway.key}` },
      { cookie: `X-API-Key=${gateway.key}` },
      { 'x-key': gateway.key },
    ];
    for (const headers of elsewhere) {
      const response = await gateway.call('POST', '/api/v1/security/scan', { key: null, headers, body });
      assert.equal(response.status, 401, JSON.stringify(Object.keys(headers)));
    }
    for (const path of [`?X-API-Key=${gateway.key}`, `?api_key=${gateway.key}`]) {
      const response = await gateway.call('POST', `/api/v1/security/scan${path}`, { key: null, body });
      assert.equal(response.status, 401);
    }
    const other = await gateway.call('POST', '/api/v1/security/scan', {
      key: gateway.key.toUpperCase(),
      body,
    });
    assert.equal(other.status, 401, 'keys are case-sensitive');
  });
});

test('a route that does not declare who may call it cannot be registered', () => {
  const app = Fastify();
  requireRouteAccess(app);
  assert.throws(
    () => app.get('/forgotten', async () => 'hello'),
    /GET.* \/forgotten does not define its access/,
  );
  assert.doesNotThrow(() => app.get('/open', { config: { access: { auth: 'none' } } }, async () => 'hello'));
});

/** Routes of pages and of directories have their own matrix: dashboard-access.test.ts. */
function developersRoutes(gateway: TestGateway) {
  return listRoutes(gateway.app).filter(({ url }) => !/^\/(?:dashboard|scim)(?:\/|$)/.test(url));
}
