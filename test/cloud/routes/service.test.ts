import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

test('public routes are constant and reveal no version', async (t) => {
  const gateway = await startGateway({ env: { GATEWAY_ENV: 'staging-7' } });
  t.after(() => gateway.close());
  const get = (path: string) => readAnswer(gateway.call('GET', path, { key: null }));
  const root = await get('/');
  assert.deepEqual(Object.keys(root.body), ['name', 'description', 'status', 'documentation']);
  for (const value of Object.values(root.body)) assert.equal(typeof value, 'string');
  const version = await get('/version');
  assert.equal(version.status, 200);
  assert.equal(version.text, '{}');
  for (const path of ['/health', '/api/v1/health', '/api/v1/proxy/health']) {
    assert.equal((await get(path)).text, '{"status":"ok"}', path);
  }
  assert.deepEqual((await get('/health/ready')).body, { status: 'ready', faults: {} });
  const document = await get('/openapi.json');
  assert.equal(document.body['openapi'], '3.1.0');
  const page = await gateway.call('GET', '/docs', { key: null });
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  for (const { text } of [root, version, document]) assert.doesNotMatch(text, /staging-7/);
});

test('the address of the service leads a browser to the dashboard, and programs get JSON', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const get = (accept: string) => fetch(`${gateway.address}/`, { redirect: 'manual', headers: { accept } });
  const browser = await get('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
  assert.deepEqual([browser.status, browser.headers.get('location')], [302, '/dashboard/']);
  for (const accept of ['*/*', 'application/json']) {
    const program = await get(accept);
    assert.equal(program.status, 200, accept);
    assert.match(program.headers.get('vary') ?? '', /Accept/);
    assert.match(program.headers.get('content-type') ?? '', /^application\/json/);
  }
});
