import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { compilePac } from '../../apps/desktop/src/upstream/upstream-pac.ts';
import type { Json } from '../support/answers.ts';
import { commandLine } from '../support/command-line.ts';
import {
  type AgentCommands,
  agentCommands,
  type RunningAgentProcess,
} from '../support/desktop/agent-process.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until, untilTrue } from '../support/until.ts';

const skip = process.platform === 'linux' ? false : 'the stand-in for the system setting is one for Linux';
const folder = tempFolder('machine');
const operator = commandLine(path.join(folder, 'cloud'));
const state = path.join(folder, 'device', 'state');
const gsettings = fakeGsettings(state);
const root = path.join(state, 'root.pem');
const machine = { PATH: `${gsettings.folder}:${process.env['PATH']}`, AGENT_SYSTEM_PROXY: 'on' };
/** Programs of this computer trust the certificates in this file. */
const trusting = agentCommands(path.join(folder, 'device'), { ...machine, SSL_CERT_FILE: root });
const distrusting = agentCommands(path.join(folder, 'device'), machine);
let gateway: GatewayProcess;
let running: RunningAgentProcess | undefined;

before(async () => {
  gateway = await startGatewayProcess({ dataDir: path.join(folder, 'cloud') });
  const { token } = await operator.json(['enrollments', 'create']);
  const enrolled = await trusting.run('enroll', '--server', gateway.address, '--token', String(token));
  assert.equal(enrolled.code, 0, enrolled.stderr);
});
after(async () => {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.end('SIGKILL');
  await gateway.stop();
});

const untilSo = (isSo: () => boolean | Promise<boolean>, what: string) =>
  untilTrue(isSo, () => `${what}:\n${running?.output()}`);

async function start(agent: AgentCommands): Promise<RunningAgentProcess> {
  running = await agent.start();
  return running;
}

async function reportedState(): Promise<unknown> {
  const { devices } = (await operator.json(['devices', 'list'])) as { devices: Json[] };
  return devices[0]?.['state'];
}

test('the computer is directed to the proxy, and its setting is restored when the agent ends normally', {
  skip,
}, async () => {
  const agent = await start(trusting);
  await untilSo(() => gsettings.read('mode') === 'auto', 'the setting was not made');
  assert.match(
    gsettings.read('autoconfig-url'),
    /^http:\/\/127\.0\.0\.1:\d+\/proxy\.pac\?v=[0-9a-f]{12}#content-security-agent$/,
  );
  const pac = await (await fetch(gsettings.read('autoconfig-url'))).text();
  assert.match(pac, /FindProxyForURL/);
  await untilSo(async () => (await trusting.status()).system_proxy === 'on', 'it was not said');
  await untilSo(async () => (await reportedState()) === 'quiet', 'the service was not told');
  await agent.end('SIGTERM');
  assert.deepEqual([gsettings.read('mode'), gsettings.read('autoconfig-url')], ['none', '']);
});

test('after kill -9 the setting is restored, and the next start works', {
  skip,
}, async () => {
  const agent = await start(trusting);
  await untilSo(() => gsettings.read('mode') === 'auto', 'the setting was not made');
  const { proxy_port: port } = await trusting.status();
  agent.child.kill('SIGKILL');
  await untilSo(() => gsettings.read('mode') === 'none', 'the setting was not put back');
  assert.equal((await trusting.status()).running, false);
  const next = await start(trusting);
  await untilSo(() => gsettings.read('mode') === 'auto', 'the setting was not made');
  assert.ok(
    gsettings.read('autoconfig-url').startsWith(`http://127.0.0.1:${port}/`),
    'the same port as before',
  );
  gsettings.set('mode', 'none');
  await untilSo(() => gsettings.read('mode') === 'auto', 'a disabled setting was not repaired');
  const retried = await until(
    () => trusting.run('retry'),
    ({ code }) => code === 0,
  );
  assert.match(retried.stderr, /^(The agent has not responded for 3 seconds;[^\n]*\n)?$/);
  // The user set another proxy, which the agent must not replace.
  gsettings.set('mode', 'manual');
  await next.end('SIGINT');
  assert.equal(gsettings.read('mode'), 'manual');
  gsettings.set('mode', 'none');
  gsettings.set('autoconfig-url', '');
  const idle = await trusting.run('retry');
  assert.equal(idle.code, 1);
  assert.match(idle.stderr, /is not running\. Start it with "agent run"/);
});

test('while the certificate is not trusted, nothing is changed and the status says what to do', {
  skip,
}, async () => {
  const agent = agentCommands(path.join(folder, 'device'), machine);
  const begun = agent.start().catch((error: Error) => error);
  await untilSo(async () => {
    const { problem, supervisor_state } = await agent.status();
    return /agent ca install/.test(problem ?? '') && supervisor_state === 'quiet';
  }, 'nothing was said');
  assert.equal(gsettings.read('mode'), 'none');
  const status = await agent.status();
  assert.deepEqual([status.system_proxy, status.supervisor_state], ['not_set', 'quiet']);
  // The service receives the actual state of the computer.
  await untilSo(async () => (await reportedState()) === 'retrying', 'the service received something else');
  process.kill(status.pid ?? 0, 'SIGTERM');
  await begun;
});

test('a company’s PAC file in the settings is followed, and restored', { skip }, async () => {
  const company = createServer((_request, response) =>
    response.end('function FindProxyForURL() { return "PROXY proxy.company.example:3128; DIRECT"; }'),
  ).listen(0, '127.0.0.1');
  await once(company, 'listening');
  const { port } = company.address() as { port: number };
  const theirs = `http://127.0.0.1:${port}/company.pac`;
  gsettings.set('mode', 'auto');
  gsettings.set('autoconfig-url', theirs);
  const agent = await start(trusting);
  await untilSo(() => gsettings.read('autoconfig-url').includes('/proxy.pac'), 'it was not led');
  const find = await compilePac(await (await fetch(gsettings.read('autoconfig-url'))).text());
  assert.equal(
    await find('https://bank.example/', 'bank.example'),
    'PROXY proxy.company.example:3128; DIRECT',
  );
  assert.match(
    await find('https://chatgpt.com/', 'chatgpt.com'),
    /^PROXY 127\.0\.0\.1:\d+; PROXY proxy\.company\.example:3128; DIRECT$/,
  );
  await agent.end('SIGTERM');
  assert.deepEqual([gsettings.read('mode'), gsettings.read('autoconfig-url')], ['auto', theirs]);
  gsettings.set('mode', 'none');
  gsettings.set('autoconfig-url', '');
  company.close();
});

test('a port in use is reported with what to do, and the setting is not changed', { skip }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const agent = agentCommands(path.join(folder, 'device'), { ...machine, AGENT_PROXY_PORT: String(port) });
  const begun = agent.start().catch((error: Error) => error);
  await untilSo(async () => /is already in use/.test((await agent.status()).problem ?? ''), 'unsaid');
  const status = await agent.status();
  assert.equal(status.proxy_port, null);
  assert.equal(gsettings.read('mode'), 'none');
  taken.close();
  process.kill(status.pid ?? 0, 'SIGTERM');
  await begun;
});

test('unenrolling a running agent restores the setting first, and then removes its state', {
  skip,
}, async () => {
  await start(trusting);
  await untilSo(() => gsettings.read('mode') === 'auto', 'the setting was not made');
  const gone = await distrusting.run('unenroll');
  assert.equal(gone.code, 0, gone.stderr);
  assert.equal(gsettings.read('mode'), 'none');
  const names = gsettings.namesAtLastChange();
  for (const name of ['enrollment.json', 'root.pem', 'device-credential.secret', 'issuer-key.secret'])
    assert.ok(names.includes(name), `${name} was removed before the setting was restored`);
  assert.equal(existsSync(state), false);
});
