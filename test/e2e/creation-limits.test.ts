import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Person, signInAs, type TestBrowser } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

interface Row {
  readonly what: string;
  readonly most: number;
  readonly method?: string;
  readonly path: (project: string, nth: number) => string;
  readonly body: (nth: number) => object;
  readonly code: string;
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
    code: 'plan_limit_reached',
  },
  {
    what: 'webhooks of a project',
    most: 20,
    path: (project) => `/projects/${project}/webhooks`,
    body: (nth) => ({ webhook_url: `http://127.0.0.1:9/${nth}` }),
    code: 'plan_limit_reached',
  },
  {
    what: 'organization tokens',
    most: 50,
    path: () => '/organization-tokens',
    body: (nth) => ({ name: `Token ${nth}`, scopes: ['events:read'] }),
    code: 'plan_limit_reached',
  },
  {
    what: 'notification targets',
    most: 50,
    path: () => '/notification-targets',
    body: (nth) => ({ kind: 'mail', address: `security${nth}@example.com` }),
    code: 'plan_limit_reached',
  },
  {
    what: 'saved filters',
    most: 100,
    path: () => '/saved-filters',
    body: (nth) => ({ name: `Filter ${nth}`, query: { decision: 'block' } }),
    code: 'plan_limit_reached',
  },
  {
    what: 'MCP servers of a project',
    most: 100,
    method: 'PUT',
    path: (project, nth) => `/projects/${project}/mcp-servers/server${nth}`,
    body: () => ({ url: 'http://127.0.0.1:9/mcp' }),
    code: 'invalid_request',
  },
];

describe('creation limits: the last one is made, one more is refused', () => {
  let gateway: TestGateway;
  let owner: TestBrowser & Person;
  before(async () => {
    gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    owner = await signInAs(gateway, 'owner');
  });
  after(() => gateway.close());

  for (const { what, most, method = 'POST', path, body, code } of ROWS)
    test(`${most} ${what}`, async () => {
      const make = (nth: number) => owner.call(method, path(gateway.account.projectId, nth), body(nth));
      for (let nth = 1; nth <= most; nth++) {
        const { status, error } = await make(nth);
        assert.ok(status < 300, `${nth}: ${JSON.stringify(error)}`);
      }
      const { status, error } = await make(most + 1);
      assert.deepEqual([status, error['code']], [code === 'invalid_request' ? 400 : 403, code]);
      assert.match(String(error['message']), new RegExp(`\\b${most}\\b`));
    });

  test('200 patterns and 5,000 domains in all policies together', async () => {
    const make = (nth: number, patterns: number, domains: number) =>
      owner.call<{ detail?: { msg: string }[] }>('POST', '/policies', policy(nth, patterns, domains));
    for (let nth = 0; nth < 5; nth++) assert.equal((await make(nth, 40, 1_000)).status, 200);
    for (const [patterns, domains, say] of [
      [1, 0, 'can have 200 patterns; with these it would be 201'],
      [0, 1, 'can have 5000 domains; with these it would be 5001'],
    ] as const) {
      const { status, body } = await make(9, patterns, domains);
      assert.equal(status, 422);
      assert.ok(body.detail?.[0]?.msg.includes(say), JSON.stringify(body));
    }
  });

  test('200 open invitations', async () => {
    const { organizationId } = gateway.account;
    for (let nth = 0; nth < 199; nth++)
      await gateway.storage.invitations.create(organizationId, {
        email: `person${nth}@example.com`,
        role: 'member',
        invitedBy: owner.userId,
        expiresAtMs: Date.now() + 86_400_000,
      });
    const invite = (email: string) => owner.call('POST', '/invitations', { email, role: 'member' });
    assert.equal((await invite('last@example.com')).status, 200);
    const refused = await invite('more@example.com');
    assert.deepEqual([refused.status, refused.error['code']], [403, 'plan_limit_reached']);
  });
});
