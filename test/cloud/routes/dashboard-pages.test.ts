import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { registerCommonHeaders } from '../../../apps/cloud/src/plugins/common-headers.ts';
import { registerErrorReply } from '../../../apps/cloud/src/plugins/error-reply.ts';
import { pageTarget, registerDashboardPages } from '../../../apps/cloud/src/routes/dashboard-pages.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

const CASES = [
  {
    name: 'a browser opens a page',
    target: '/dashboard/events/evt_1?x=1',
    accept: HTML,
    to: '/dashboard/',
  },
  { name: 'a page without the trailing slash', target: '/dashboard', accept: undefined, to: '/dashboard/' },
  { name: 'a script asks for data', target: '/dashboard/events', accept: 'application/json' },
  { name: 'a request without Accept', target: '/dashboard/events', accept: undefined },
  { name: 'a download', target: '/dashboard/audit-log/export', accept: HTML },
  { name: 'a list as a file', target: '/dashboard/events?decision=block&format=csv', accept: HTML },
  { name: 'a file', target: '/dashboard/assets/index-1a2b.js', accept: HTML },
  { name: 'another part of the service', target: '/docs/', accept: HTML },
  { name: 'a path that only begins with the same letters', target: '/dashboards/x', accept: HTML },
] as const;

for (const { name, target, accept, ...rest } of CASES) {
  test(`pageTarget: ${name}`, () => {
    assert.equal(pageTarget(target, 'GET', accept), 'to' in rest ? rest.to : target);
  });
}

test('pageTarget: a request that changes something is never a page', () => {
  assert.equal(pageTarget('/dashboard/session', 'POST', HTML), '/dashboard/session');
});

async function serve(t: TestContext, build?: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-pages-'));
  for (const [name, text] of Object.entries(build ?? {})) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const app = Fastify({
    rewriteUrl: ({ url = '/', method, headers }) => pageTarget(url, method, headers.accept),
  });
  registerErrorReply(app);
  registerCommonHeaders(app, { https: false });
  await registerDashboardPages(app, folder);
  t.after(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  return (url: string, accept = 'text/html') => app.inject({ url, headers: { accept } });
}

const BUILD = {
  'index.html': '<script nonce="__CSP_NONCE__" src="/dashboard/assets/index-1.js"></script>',
  'assets/index-1.js': 'go()',
  'icon.svg': '<svg/>',
};

test('every page is the same document, with a new nonce each time and nothing inline allowed', async (t) => {
  const get = await serve(t, BUILD);
  const answers = [await get('/dashboard/'), await get('/dashboard/events/evt_1')];
  const nonces = answers.map((answer) => {
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const policy = String(answer.headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
    assert.ok(nonce !== undefined && answer.body.includes(`nonce="${nonce}"`), policy);
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    return nonce;
  });
  assert.notEqual(nonces[0], nonces[1]);
});

test('files named by their content are cached by browsers; nothing else of the folder is served', async (t) => {
  const get = await serve(t, BUILD);
  const file = await get('/dashboard/assets/index-1.js', '*/*');
  assert.equal(file.body, 'go()');
  assert.match(String(file.headers['cache-control']), /max-age=31536000, immutable/);
  assert.equal((await get('/dashboard/icon.svg', '*/*')).statusCode, 200);
  for (const place of ['assets/none.js', 'assets/..%2findex.html', 'assets/%2e%2e/index.html']) {
    assert.equal((await get(`/dashboard/${place}`, '*/*')).statusCode, 404, place);
  }
});

test('without a build the page says how to make one', async (t) => {
  const get = await serve(t);
  const answer = await get('/dashboard/');
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm start/);
});
