import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothDatabases } from '../support/both-databases.ts';
import { type Answer, type Person, signInAs, type TestBrowser } from '../support/browser.ts';
import type { TestGateway } from '../support/gateway.ts';

interface Row {
  readonly what: string;
  readonly most: number;
  readonly method?: string;
  readonly path: (project: string, nth: number) => string;
  readonly body: (nth: number) => object;
}

const policy = (nth: number, patterns: number, domains: number) => ({
  name: `Policy ${nth}`,
  action: 'monitor',
  threat_types: ['jailbreak'],
  patterns: Array.from({ length: patterns }, (_, i) => ({
    name: `p${nth}-${i}`,
    pattern: `word${nth}x${i}`,
  })),
  blocked_domains: Array.from({ length: domains }, (_, i) => `d${nth}-${i}.example`),
});

const ROWS: readonly Row[] = [
  {
    what: 'directory tokens',
    most: 10,
    path: () => '/directory-tokens',
    body: (nth) => ({ name: `Directory ${nth}` }),
  },
  {
    what: 'webhooks of a project',
    most: 20,
    path: (project) => `/projects/${project}/webhooks`,
    body: (nth) => ({ webhook_url: `http://127.0.0.1:9/${nth}` }),
  },
  {
    what: 'organization tokens',
    most: 50,
    path: () => '/organization-tokens',
    body: (nth) => ({ name: `Token ${nth}`, scopes: ['events:read'] }),
  },
  {
    what: 'notification targets',
    most: 50,
    path: () => '/notification-targets',
    body: (nth) => ({ kind: 'mail', address: `security${nth}@example.com` }),
  },
  {
    what: 'saved filters',
    most: 100,
    path: () => '/saved-filters',
    body: (nth) => ({ name: `Filter ${nth}`, query: { decision: 'block' } }),
  },
  {
    what: 'MCP servers of a project',
    most: 100,
    method: 'PUT',
    path: (project, nth) => `/projects/${project}/mcp-servers/server${nth}`,
    body: () => ({ url: 'http://127.0.0.1:9/mcp' }),
  },
];

onBothDatabases('creation limits: of four concurrent requests for the last one, one succeeds', (start) => {
  let gateway: TestGateway;
  let owner: TestBrowser & Person;
  before(async () => {
    gateway = await start({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    owner = await signInAs(gateway, 'owner');
  });
  after(() => gateway.close());

  for (const { what, most, method = 'POST', path, body } of ROWS)
    test(`${most} ${what}`, () =>
      assertLimit(most, (nth) => owner.call(method, path(gateway.account.projectId, nth), body(nth))));

  test('50 alerts', async () => {
    const [target] = (await owner.call<{ id: string }[]>('GET', '/notification-targets')).body;
    const alert = { filter: {}, threshold: 1, window_minutes: 5, endpoint_id: target!.id };
    await assertLimit(50, (nth) => owner.call('POST', '/alerts', { name: `Alert ${nth}`, ...alert }));
  });

  test('200 patterns and 5,000 domains across all policies', async () => {
    const make = (nth: number, patterns: number, domains: number) =>
      owner.call<{ detail?: { msg: string }[] }>('POST', '/policies', policy(nth, patterns, domains));
    for (let nth = 0; nth < 5; nth++) assert.equal((await make(nth, 40, 1_000)).status, 200);
    for (const [patterns, domains, say] of [
      [1, 0, 'can have at most 200 patterns in total; these would make 201'],
      [0, 1, 'can have at most 5000 domains in total; these would make 5001'],
    ] as const) {
      const { status, body } = await make(9, patterns, domains);
      assert.equal(status, 422);
      assert.ok(body.detail?.[0]?.msg.includes(say), JSON.stringify(body));
    }
  });

  test('200 open invitations; expired ones do not count', async () => {
    const { organizationId } = gateway.account;
    const add = async (email: string, expiresAtMs: number) => {
      const input = { email, role: 'member', invitedBy: owner.userId, expiresAtMs } as const;
      return (await gateway.storage.invitations.create(organizationId, input)).invitation;
    };
    const expired = await add('late@example.com', Date.now() - 1);
    for (let nth = 0; nth < 199; nth++) await add(`person${nth}@example.com`, Date.now() + 86_400_000);
    const invite = (nth: number) =>
      owner.call('POST', '/invitations', { email: `last${nth}@example.com`, role: 'member' });
    assertOneSucceeded(await Promise.all([0, 1, 2, 3].map(invite)), 200);
    const before = await gateway.storage.invitations.get(organizationId, expired.id);
    const resent = await owner.call('POST', `/invitations/${expired.id}/resend`);
    assert.deepEqual([resent.status, resent.error['code']], [403, 'plan_limit_reached']);
    assert.deepEqual(await gateway.storage.invitations.get(organizationId, expired.id), before);
  });
});

async function assertLimit(most: number, make: (nth: number) => Promise<Answer>): Promise<void> {
  for (let nth = 1; nth < most; nth++) {
    const { status, error } = await make(nth);
    assert.ok(status < 300, `${nth}: ${JSON.stringify(error)}`);
  }
  const last = await Promise.all([0, 1, 2, 3].map((more) => make(most + more)));
  assertOneSucceeded(last, most);
  assert.equal((await make(most + 4)).status, 403);
}

function assertOneSucceeded(answers: readonly Answer[], most: number): void {
  const { true: made, false: rejected = [] } = Object.groupBy(
    answers,
    ({ status }) => String(status < 300) as 'true' | 'false',
  );
  assert.equal(made?.length, 1);
  for (const { status, error } of rejected) {
    assert.deepEqual([status, error['code'], error['limit']], [403, 'plan_limit_reached', most]);
    assert.match(String(error['message']), new RegExp(`\\b${most}\\b`));
  }
}
