import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { makeForeignKey, makeObject } from './access-objects.ts';
import { ROUTES, type Row } from './access-table.ts';

const ALIASES = ['/api/v1', '/api/v1/proxy'];

describe('isolation between organizations', () => {
  let gateway: TestGateway;
  let foreignKey: string;
  before(async () => {
    // The clock stands still, so that no rate limit window ends between the two responses compared.
    const startMs = Date.now();
    gateway = await startGateway({ clock: { now: () => startMs, elapsed: () => performance.now() } });
    foreignKey = await makeForeignKey(gateway);
    await gateway.addDevice();
  });
  after(() => gateway.close());

  test('responses about another organization’s object equal those about a missing one, byte for byte', async () => {
    const foreignDevice = await addForeignDevice();
    // Agents are named by their owner, responses and cloud projects by the provider, so the gateway creates none of
    // these.
    const byId = Object.keys(ROUTES).filter(
      (name) => /:\w+_id/.test(name) && !/:(?:agent|response)_id|:location/.test(name),
    );
    assert.ok(byId.length >= 9, `only ${byId.length} routes`);
    for (const name of byId) {
      const [method, path] = name.split(' ') as [string, string];
      const row = ROUTES[name] as Row;
      for (const prefix of ALIASES) {
        const id = await makeObject(gateway, path);
        const nowhere = id.replace(/.{6}$/, (end) => (end === 'zzzzzz' ? 'yyyyyy' : 'zzzzzz'));
        const before = await stateOf(gateway);
        for (const key of row.device ? [foreignKey, foreignDevice] : [foreignKey]) {
          const ask = async (one: string) => {
            const url = prefix + path.replace(/:\w+/, one);
            return await disclosedIn(await gateway.call(method, url, { key, body: row.body?.() }));
          };
          const foreign = await ask(id);
          assert.equal(foreign.status, 404, `${method} ${prefix}${path} → ${foreign.text}`);
          assert.deepEqual(
            foreign,
            await ask(nowhere),
            `${method} ${prefix}${path} reveals that the object exists`,
          );
        }
        assert.equal(await stateOf(gateway), before, `${method} ${prefix}${path} changed something`);
      }
    }
    const stats = async (key: string) =>
      await (await gateway.call('GET', '/api/v1/agent/agent-of-ours/stats', { key })).text();
    const body = { agent_id: 'agent-of-ours', tool_name: 'bash', arguments: {} };
    await gateway.call('POST', '/api/v1/agent/validate-tool', { body });
    assert.match(await stats(gateway.key), /"total_tool_calls":1/);
    assert.match(await stats(foreignKey), /"total_tool_calls":0/);
  });

  async function addForeignDevice(): Promise<string> {
    const { organizationId } = (await gateway.storage.keys.findForAuth(foreignKey))!;
    const { token } = await gateway.storage.enrollments.create(organizationId, { projectId: null });
    const body = { token, device_name: 'Theirs', platform: 'linux' };
    const enrolled = await gateway.call('POST', '/api/v1/enroll', { key: null, body });
    return ((await enrolled.json()) as { api_key: string }).api_key;
  }

  test('lists, counts and bodies of one organization contain nothing of another', async () => {
    const keys = await (await gateway.call('GET', '/api/v1/api-keys', { key: foreignKey })).json();
    assert.deepEqual(
      (keys as { name: string }[]).map((key) => key.name),
      ['foreign'],
    );
    assert.deepEqual(await (await gateway.call('GET', '/api/v1/projects', { key: foreignKey })).json(), []);
    const created = await gateway.call('POST', '/api/v1/api-keys', {
      key: foreignKey,
      body: { name: 'x', project_id: gateway.account.projectId },
    });
    assert.equal(created.status, 404, 'a key for another organization’s project');
    const { requests_used } = (await (
      await gateway.call('GET', '/api/v1/usage/stats', { key: foreignKey })
    ).json()) as { requests_used: number };
    assert.equal(requests_used, 0, 'another organization’s requests');
  });
});

/** Returns a response without the parts that differ every time. */
async function disclosedIn(response: Response) {
  const changing = ['date', 'x-request-id', 'x-service-event-id', 'x-ratelimit-remaining', 'server-timing'];
  return {
    status: response.status,
    text: await response.text(),
    headers: [...response.headers].filter(([name]) => !changing.includes(name)),
    names: [...response.headers.keys()],
  };
}

/** Our organization's objects that have an id. */
async function stateOf({ storage, account }: TestGateway): Promise<string> {
  const { organizationId } = account;
  return JSON.stringify([
    (await storage.keys.list(organizationId, { devices: true })).map((key) => ({
      ...key,
      lastUsedAtMs: null,
    })),
    await storage.requests.list(organizationId, { kind: 'exception' }),
    await storage.requests.list(organizationId, { kind: 'tool_request' }),
    await storage.requests.list(organizationId, { kind: 'tool_review' }),
  ]);
}
