import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CSRF_HEADER, SCIM_TYPE } from '@csg/shared/contract';
import { buildDashboard } from '../../scripts/bootstrap/build-dashboard.mjs';
import { signInAs, type TestBrowser } from '../support/browser.ts';
import { createTestDatabase, noPostgres, type TestDatabase } from '../support/databases.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { readOpenApi } from '../support/openapi.ts';
import { isInPart, partOf } from '../support/part.ts';
import { DASHBOARD_ROUTES } from './dashboard-table.ts';
import {
  createDocumentedResponses,
  type DocumentedPaths,
  type DocumentedResponses,
} from './documented-responses.ts';

const HOOK_SECRET = 'a secret of the code host';
/** Ends a request that hangs. */
const HANG_MS = 400_000;
/** `npm test` sends one in so many requests. */
const SHARE = 4;

const deep = (open: string, close: string): string => open.repeat(300) + close.repeat(300);
/** Bodies that are wrong for any route. */
const BODIES: readonly (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '-1e999',
  '{"name":"a","n\\u0061me":"b"}',
  '{"__proto__":{"role":"owner"},"constructor":{"prototype":{"role":"owner"}}}',
  deep('[', ']'),
  `{"name":${deep('{"a":', '}').replace('}', '1}')}}`,
  '{"name":"\\ud800"}',
  Buffer.from('{"name":"\xff"}', 'latin1'),
  Buffer.from('\ufeff{}'),
];
/** Values that replace each member of a correct body. */
const VALUES: readonly unknown[] = [
  null,
  'a\u0000b',
  'x'.repeat(70_000),
  { $ne: null, length: 1 },
  [[], null],
  -1e308,
  '\u202e\ud83d\ude48\r\nSet-Cookie: a=b',
];
const IDS = [
  '%00',
  '%ff',
  '..%2f..%2fsession',
  '__proto__',
  "x'%20OR%201=1--",
  'a'.repeat(400),
  '%F0%9F%99%88',
];
const QUERIES = [
  'limit=-1&cursor=%00&q=%00',
  'limit=1e99&cursor=__proto__&from=x&to=%ff&days=NaN',
  'limit[]=1&limit=2&decision=%27&search=%25%00&filter=userName%20eq%20%22&startIndex=-9&count=x',
  'cursor=eyJhIjoiYiJ9&before=99999999999999999999&after=-1&from=275760-09-13T00:00:01Z&project_id=%00',
];

interface Try {
  readonly method: string;
  /** The path as the document names it. */
  readonly path: string;
  readonly url: string;
  readonly body?: string | Buffer;
  readonly headers: Record<string, string>;
}

/** Errors that occur before the route is known, the same everywhere: listed in docs/errors.md. */
const BEFORE_ROUTES: ReadonlySet<string> = new Set([
  'The URL of the request could not be read.',
  'The query string must not contain a NUL character (%00).',
  'Not found. Check the URL of the request.',
  'Send the body as application/json in UTF-8.',
]);

function isBeforeRoutes(headers: Headers, text: string): boolean {
  if (!headers.get('content-type')?.startsWith('application/json')) return false;
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return BEFORE_ROUTES.has(error?.message ?? '');
}

// PostgreSQL may reject what SQLite stores, such as a NUL character.
const ENGINES = partOf('engine under hostile routes', ['SQLite', 'PostgreSQL'] as const, 1);
for (const engine of ENGINES) {
  const isPostgres = engine === 'PostgreSQL';
  const skip = isPostgres && noPostgres;
  describe(`hostile input to every route except the model routes, on ${engine}`, { skip }, () => {
    hostileRoutes(isPostgres ? createTestDatabase : async () => null);
  });
}

function hostileRoutes(makeDatabase: () => Promise<TestDatabase | null>): void {
  let database: TestDatabase | null;
  let gateway: TestGateway;
  let owner: TestBrowser;
  let directory: string;
  let documented: DocumentedResponses;
  let paths: DocumentedPaths;
  before(async () => {
    assert.equal(
      await buildDashboard(path.resolve(import.meta.dirname, '../..'), process.execPath),
      undefined,
    );
    database = await makeDatabase();
    const storage = database === null ? {} : { DATABASE_URL: database.databaseUrl };
    gateway = await startGateway({ env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET, ...storage } });
    await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
    owner = await signInAs(gateway, 'owner');
    const made = await owner.call<{ token: string }>('POST', '/directory-tokens', { name: 'Directory' });
    directory = made.body.token;
    ({ paths } = await readOpenApi<{ paths: DocumentedPaths }>(gateway.address));
    documented = createDocumentedResponses(paths);
  });
  after(async () => {
    await gateway.close();
    await database?.drop();
  });

  /** Every response is documented, and none is an internal error. */
  async function holdAll(all: readonly Try[]): Promise<void> {
    const tries = all.filter(({ method, url }, at) => isInPart(`${at} ${method} ${url}`, SHARE));
    const faults = new Set<string>();
    const waiting = [...tries];
    const work = async (): Promise<void> => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        try {
          const response = await fetch(gateway.address + one.url, {
            method: one.method,
            headers: one.headers,
            redirect: 'manual',
            signal: AbortSignal.timeout(HANG_MS),
            ...(one.body === undefined ? {} : { body: one.body }),
          });
          const { status, headers } = response;
          const text = await response.text();
          assert.ok(status < 500, `${status} ${text.slice(0, 200)}`);
          assert.ok(
            !/node_modules|\.ts:\d|SQLITE_|SyntaxError|syntax error at/.test(text),
            `it reveals too much: ${text}`,
          );
          if (status >= 400 && !isBeforeRoutes(headers, text))
            documented.hold(one.method, one.path, { status, headers, text });
        } catch (error) {
          const sent = one.body === undefined ? '' : ` ${String(one.body).slice(0, 120)}`;
          faults.add(
            `${one.method} ${one.url.slice(0, 160)}${sent}: ${(error as Error).message.split('\n')[0]}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    assert.equal(
      faults.size,
      0,
      `${faults.size} of ${tries.length}:\n${[...faults].slice(0, 40).join('\n')}`,
    );
    assert.equal((await fetch(`${gateway.address}/api/v1/health`)).status, 200);
  }

  function* triesOf(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Generator<Try> {
    const type = headers['content-type'] ?? 'application/json';
    const plain = path.replace(/\{\w+\}/g, 'nothing');
    if (path.includes('{')) {
      for (const id of IDS) {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        yield {
          method,
          path,
          url: path.replace(/\{\w+\}/g, id),
          headers: { ...headers, ...(body && { 'content-type': type }) },
          ...sent,
        };
      }
    }
    if (method === 'GET') {
      for (const query of QUERIES) yield { method, path, url: `${plain}?${query}`, headers };
      return;
    }
    if (body === undefined) return;
    const withType = { ...headers, 'content-type': type };
    for (const wrong of BODIES) yield { method, path, url: plain, body: wrong, headers: withType };
    for (const name of Object.keys(body)) {
      for (const value of VALUES) {
        yield {
          method,
          path,
          url: plain,
          body: JSON.stringify({ ...body, [name]: value }),
          headers: withType,
        };
      }
    }
    yield { method, path, url: plain, body: 'a=b', headers: { ...headers, 'content-type': 'text/plain' } };
  }

  test('/dashboard/*', async () => {
    const headers = {
      cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: gateway.address,
      'sec-fetch-site': 'same-origin',
      [CSRF_HEADER]: owner.csrfToken,
    };
    const tries = Object.entries(DASHBOARD_ROUTES).flatMap(([name, row]) => {
      if (row.endsCaller === true) return [];
      const [method, place] = name.split(' ') as [string, string];
      const path = `/dashboard${place
        .replace(/:(\w+)/g, '{$1}')
        .replace('/openai', '/{provider}')
        .replace('/crm', '/{name}')}`;
      return [...triesOf(method, path, headers, row.body?.())];
    });
    assert.ok(tries.length > 1_000);
    await holdAll(tries);
    assert.equal((await owner.whoAmI()).status, 200, 'the session is gone');
  });

  test('/scim/v2/*', async () => {
    const headers = { authorization: `Bearer ${directory}`, 'content-type': SCIM_TYPE };
    const user = {
      schemas: ['x'],
      userName: 'a@example.com',
      active: true,
      emails: [{ value: 'a@b.c' }],
      name: {},
    };
    const patch = { schemas: ['x'], Operations: [{ op: 'replace', path: 'active', value: false }] };
    const bodies: Readonly<Record<string, object>> = { post: user, put: user, patch };
    const tries = Object.entries(paths)
      .filter(([path]) => path.startsWith('/scim/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).flatMap((method) => [
          ...triesOf(method.toUpperCase(), path, headers, bodies[method]),
        ]),
      );
    assert.ok(tries.length > 50);
    await holdAll(tries);
  });

  test('/api/v1/agent/*, /api/v1/scrape/batch, enrollments, exceptions and tool requests', async () => {
    const headers = { 'x-api-key': gateway.key };
    const bodies: Readonly<Record<string, object>> = {
      'POST /api/v1/agent/validate-tool': {
        agent_id: 'a',
        tool_name: 'lookup',
        arguments: { city: 'Paris' },
        session_id: 's',
        blocked_tools: ['rm'],
        allowed_tools: ['lookup'],
        review_required_tools: ['pay'],
      },
      'POST /api/v1/scrape/batch': { urls: ['http://127.0.0.1:9/'], render_js: false, extract_text: true },
      'POST /api/v1/exceptions': { destination_host: 'a.example.com', threat: 'x', requested_minutes: 5 },
      'POST /api/v1/tool-requests': {
        requested_host: 'a.example.com',
        requested_name: 'n',
        justification: 'j',
      },
      'POST /api/v1/enroll': { token: 't', device_name: 'd', platform: 'linux', coverage: 'proxy' },
    };
    const tries = Object.entries(paths)
      .filter(([path]) => /^\/api\/v1\/(?:agent|scrape\/batch|exceptions|tool-requests|enroll)/.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(methods).flatMap((method) => [
          ...triesOf(method.toUpperCase(), path, headers, bodies[`${method.toUpperCase()} ${path}`]),
        ]),
      );
    assert.ok(tries.length > 100);
    await holdAll(tries);
  });

  test('/api/v1/github/webhook: with a valid signature, an invalid one and none', async () => {
    const path = '/api/v1/github/webhook';
    const sign = (body: string | Buffer) =>
      `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`;
    const payload = {
      repository: { full_name: 'a/b' },
      commits: [{ message: 'm', added: ['f'] }],
      pull_request: { title: 't', body: 'b' },
      issue: { title: 't' },
      comment: { body: 'c' },
    };
    const bodies = [
      ...BODIES,
      ...Object.keys(payload).flatMap((name) =>
        VALUES.map((value) => JSON.stringify({ ...payload, [name]: value })),
      ),
      ...VALUES.map((value) => JSON.stringify({ ...payload, repository: { full_name: value } })),
    ];
    const events = ['push', 'pull_request', 'issues', 'issue_comment', 'ping', '__proto__', 'x'.repeat(500)];
    let count = 0;
    const tries = bodies.flatMap((body) =>
      [sign(body), 'sha256=00', 'sha256=', undefined].map(
        (signature): Try => ({
          method: 'POST',
          path,
          url: path,
          body,
          headers: {
            'content-type': 'application/json',
            'x-github-event': events[count++ % events.length]!,
            ...(count % 9 === 0
              ? {}
              : { 'x-github-delivery': count % 5 === 0 ? 'd'.repeat(4_000) : `delivery-${count}` }),
            ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
          },
        }),
      ),
    );
    await holdAll(tries);
  });

  test('/docs, /openapi.json and the pages serve no file outside their folders and echo nothing', async () => {
    const places = ['/docs', '/dashboard', '/docs/static', '/dashboard/assets', '/docs/guide'];
    const tails = [
      '/../../package.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/.data/master.key',
      '/%00',
      '/%ff',
      '//',
      '/<script>alert(1)</script>',
      '/..%5c..%5cpackage.json',
      `/${'a'.repeat(5_000)}`,
      '?url=//evil.example&next=https://evil.example',
    ];
    for (const place of places) {
      for (const tail of tails) {
        const response = await fetch(gateway.address + place + tail, {
          redirect: 'manual',
          signal: AbortSignal.timeout(HANG_MS),
        });
        const text = await response.text();
        const shown = `${place}${tail.slice(0, 60)} → ${response.status}`;
        assert.ok(response.status < 500, `${shown} ${text.slice(0, 200)}`);
        assert.ok(
          !text.includes('"workspaces"') && !text.includes('<script>alert(1)'),
          `${shown}: ${text.slice(0, 200)}`,
        );
        const to = response.headers.get('location');
        if (to !== null) {
          assert.equal(new URL(to, gateway.address).origin, gateway.address, `${shown} sends to ${to}`);
        }
      }
    }
  });
}
