/** A policy that fails closed: whichever process dies, AI hosts stay unreachable, and everything else works. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { compilePac } from '../../apps/desktop/src/upstream/upstream-pac.ts';
import type { Json } from '../support/answers.ts';
import { type AgentTestEnv, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { browse, type Reached } from '../support/desktop/browse.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { childOf } from '../support/desktop/processes.ts';
import { untilTrue } from '../support/until.ts';

const skip = process.platform === 'linux' ? noCurl : 'processes and settings are looked at as Linux has them';
const gsettings = fakeGsettings();
let testEnv: AgentTestEnv;
let apiKey = '';
let projectId = '';

before(async () => {
  if (skip !== false) return;
  testEnv = await openAgentTestEnv({
    agentEnv: (device) => ({
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      AGENT_SYSTEM_PROXY: 'on',
      SSL_CERT_FILE: path.join(device, 'state', 'root.pem'),
    }),
  });
  const own = await testEnv.operator.json(['keys', 'create', '--name', 'own']);
  projectId = String(own['project_id']);
  // A key may not change its own project.
  const other = await call(String(own['key']), 'POST', '/api/v1/projects', { name: 'Other' });
  const made = await testEnv.operator.json([
    'keys',
    'create',
    '--name',
    'other',
    '--project',
    String(other['id']),
  ]);
  apiKey = String(made['key']);
  await setFailMode('closed');
});
after(() => testEnv?.close());

async function call(key: string, method: string, address: string, body: Json): Promise<Json> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${testEnv.gateway.address}${address}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return JSON.parse(text) as Json;
}

async function setFailMode(mode: 'open' | 'closed'): Promise<void> {
  await call(apiKey, 'PATCH', `/api/v1/projects/${projectId}`, { fail_mode: mode });
}

function reach(): Promise<Reached> {
  const root = readFileSync(path.join(testEnv.agent.stateDir, 'root.pem'), 'utf8');
  const url = `https://localhost:${testEnv.testProvider.port}/v1/models`;
  return browse({ gsettings, url, roots: `${root}\n${testEnv.providerCa}` });
}

const isClosed = () => gsettings.read('autoconfig-url').startsWith('data:');

test('AI hosts are never direct with the proxy killed or the agent stopped; after unenrolling all are', {
  skip,
}, async () => {
  const running = await testEnv.start();
  await untilTrue(
    async () => isClosed() && (await testEnv.agent.status()).proxy_port !== null,
    () => `the setting was not made:\n${running.output()}`,
  );
  process.kill(childOf(running.child.pid ?? 0, 'proxy-process') ?? 0, 'SIGKILL');
  for (let i = 0; i < 3; i++) assert.notEqual(await reach(), 'direct');
  await running.end('SIGTERM');
  assert.match(running.output(), /AI hosts cannot be reached until it runs again/);
  assert.equal(await reach(), 'not at all');
  assert.match((await testEnv.agent.status()).problem ?? '', /AI sites are blocked by the policy/);
  assert.match((await testEnv.agent.run('doctor')).stdout, /AI sites are blocked by the policy/);
  const pac = await fetch(gsettings.read('autoconfig-url'));
  const find = await compilePac(await pac.text());
  assert.equal(await find('https://bank.example/', 'bank.example'), 'DIRECT', 'everything else works');
  const gone = await testEnv.agent.run('unenroll');
  assert.equal(gone.code, 0, gone.stderr);
  assert.deepEqual([gsettings.read('mode'), gsettings.read('autoconfig-url')], ['none', '']);
});
