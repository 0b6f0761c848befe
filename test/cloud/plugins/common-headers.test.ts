import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../support/gateway.ts';
import { startTestProvider } from '../../support/test-provider.ts';

/** What OWASP's cheat sheets on HTTP headers and REST require of every response. */
const ALWAYS = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'content-security-policy': /frame-ancestors 'none'/,
} as const;
const NEVER = [
  ...['server', 'x-powered-by', 'x-aspnet-version', 'public-key-pins', 'expect-ct', 'via'],
  ...['access-control-allow-origin', 'access-control-allow-credentials', 'x-xss-protection'],
];

test('every kind of response has the headers that browsers need, and nothing about the server', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const wrong = { 'x-api-key': 'svc_live_wrong', 'content-type': 'application/json' };
  const cases: readonly (readonly [
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ])[] = [
    ...['/', '/version', '/health', '/openapi.json', '/docs/', '/docs/json', '/metrics', '/nowhere'].map(
      (path) => ['GET', path] as const,
    ),
    ['GET', '/dashboard/', { accept: 'text/html' }],
    ['GET', '/dashboard/nowhere', { accept: 'text/html' }],
    ['GET', '/dashboard/icon.svg'],
    ['GET', '/dashboard/session'],
    ['POST', '/dashboard/session', { 'content-type': 'application/json' }, '{'],
    ['GET', '/scim/v2/Users'],
    ['GET', '/api/v1/projects', wrong],
    ['POST', '/api/v1/guard', { ...wrong, 'x-api-key': gateway.key }, '{}'],
    ['POST', '/api/v1/agent/validate-tool', { ...wrong, 'x-api-key': gateway.key }, '[]'],
    ['PUT', '/api/v1/guard'],
    ['OPTIONS', '/api/v1/guard', { origin: 'https://evil.example', 'access-control-request-method': 'POST' }],
    ['POST', '/api/v1/guard', { 'content-type': 'text/plain', origin: 'https://evil.example' }, 'x'],
  ];
  for (const [method, path, headers = {}, body] of cases) {
    const answer = await fetch(gateway.address + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const shown = `${method} ${path} → ${answer.status}`;
    for (const [name, due] of Object.entries(ALWAYS))
      assert.match(answer.headers.get(name) ?? '', due, `${shown}: ${name}`);
    for (const name of NEVER) assert.equal(answer.headers.get(name), null, `${shown}: ${name}`);
    const type = answer.headers.get('content-type');
    if ((await answer.text()) !== '')
      assert.match(type ?? '', /^(text\/[\w-]+|application\/[\w.+-]+|image\/)/, shown);
    if (type?.startsWith('text/html')) assert.match(type, /charset=utf-8/i, shown);
    assert.deepEqual(answer.headers.getSetCookie(), [], `${shown} sets a cookie`);
  }
});

test('streams, and nothing else, ask proxies not to hold them back', async (t) => {
  const provider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: provider.url });
  t.after(() => Promise.all([gateway.close(), provider.close()]));
  const messages = [{ role: 'user', content: 'Hi' }];
  for (const streaming of ['buffered', 'live'])
    for (const stream of [true, false]) {
      const { projectId } = gateway.account;
      await gateway.call('PATCH', `/api/v1/projects/${projectId}`, { body: { streaming } });
      const input = { bearer: 'sk-own', body: { model: 'gpt-5', messages, stream } };
      const { headers } = await gateway.call('POST', '/api/v1/chat/completions', input);
      assert.equal(headers.get('x-accel-buffering'), stream ? 'no' : null, `${streaming} ${stream}`);
    }
});

test('responses are not sniffed, cached or framed; HSTS is sent if the public URL is https', async (t) => {
  const plain = await startGateway();
  const secure = await startGateway({ env: { PUBLIC_URL: 'https://gateway.example.com' } });
  t.after(() => Promise.all([plain.close(), secure.close()]));
  for (const path of ['/', '/nowhere', '/api/v1/projects']) {
    const { headers } = await plain.call('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers.get('strict-transport-security'), null);
    assert.equal(headers.get('server'), null);
    assert.equal(headers.get('x-powered-by'), null);
  }
  const { headers } = await secure.call('GET', '/');
  assert.match(headers.get('strict-transport-security') ?? '', /max-age=31536000/);
});
