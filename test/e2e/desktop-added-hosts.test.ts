/** Hosts that an organization adds centrally, on a computer whose users are not administrators. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { stateFiles } from '../../apps/desktop/src/agent/settings/state-files.ts';
import type { Json } from '../support/answers.ts';
import { commandLine } from '../support/command-line.ts';
import { agentCommands, type RunningAgentProcess } from '../support/desktop/agent-process.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until, untilTrue } from '../support/until.ts';

const skip = process.platform === 'linux' ? false : 'the stand-in for the system setting is one for Linux';
const folder = tempFolder('added-hosts');
const operator = commandLine(path.join(folder, 'cloud'));
const gsettings = fakeGsettings();
/** The root certificates that an administrator made this computer trust. */
const trusted = path.join(folder, 'trusted.pem');
const agent = agentCommands(path.join(folder, 'device'), {
  PATH: `${gsettings.folder}:${process.env['PATH']}`,
  AGENT_SYSTEM_PROXY: 'on',
  SSL_CERT_FILE: trusted,
});
const files = stateFiles(path.join(folder, 'device', 'state'));
let gateway: GatewayProcess;
let running: RunningAgentProcess;

before(async () => {
  gateway = await startGatewayProcess({ dataDir: path.join(folder, 'cloud') });
  const { token } = await operator.json(['enrollments', 'create']);
  const enrolled = await agent.run('enroll', '--server', gateway.address, '--token', String(token));
  assert.equal(enrolled.code, 0, enrolled.stderr);
  writeFileSync(trusted, readFileSync(files.root));
  running = await agent.start();
  await untilSo(async () => (await agent.status()).system_proxy === 'on', 'apps are led to the proxy');
});
after(async () => {
  await running.end('SIGTERM');
  await gateway.stop();
});

const untilSo = (isSo: () => boolean | Promise<boolean>, what: string) =>
  untilTrue(isSo, () => `${what}:\n${running?.output()}`);

async function addHosts(hosts: string): Promise<void> {
  await operator.run(['devices', 'settings', '--extra-hosts', hosts]);
}

async function reportedState(): Promise<unknown> {
  const { devices } = (await operator.json(['devices', 'list'])) as { devices: Json[] };
  return devices[0]?.['state'];
}

/** Returns whether apps are directed to the proxy for this host. */
async function isLed(host: string): Promise<boolean> {
  const address = gsettings.read('autoconfig-url');
  if (gsettings.read('mode') !== 'auto') return false;
  const pac = await fetch(address).then((response) => response.text());
  return pac.includes(host);
}

test('a new host of a known AI provider is inspected without an administrator', { skip }, async () => {
  const before = readFileSync(files.root, 'utf8');
  await addHosts('realtime-2.openai.com');
  await untilSo(() => isLed('realtime-2.openai.com'), 'the host is led to the proxy');
  await untilSo(async () => (await reportedState()) === 'quiet', 'all is read');
  const quiet = await until(
    () => agent.status(),
    ({ problem }) => problem === null,
  );
  assert.deepEqual(quiet.needs_administrator, []);
  assert.equal(readFileSync(files.root, 'utf8'), before);
});

test('another host is reported until an administrator acts, and all others stay protected', {
  skip,
}, async () => {
  const before = readFileSync(files.root, 'utf8');
  await addHosts('realtime-2.openai.com,bank.example');
  const named = await until(
    () => agent.status(),
    (status) => status.needs_administrator.length > 0,
  );
  assert.deepEqual(named.needs_administrator, ['bank.example']);
  await untilSo(async () => (await reportedState()) === 'needs_administrator', 'the service knows');
  // On a busy computer a command may first report that the agent does not respond.
  const isNamed = async () =>
    /^FAULT {2}certificate: .*bank\.example cannot be inspected/m.test((await agent.run('doctor')).stdout);
  await untilSo(isNamed, 'doctor names it');
  const words = await until(
    () => agent.run('status'),
    ({ stdout }) => stdout.includes('An administrator must run'),
  );
  assert.match(words.stdout, /^Last reported to the service at 20\d\d-/m);
  assert.equal(words.code, 1);
  assert.match(words.stdout, /^An administrator must run .*bank\.example/m);
  assert.equal(readFileSync(files.root, 'utf8'), before, 'the root in use stays');
  assert.ok(await isLed('api.openai.com'));

  writeFileSync(trusted, before + readFileSync(files.nextRoot, 'utf8'));
  await until(
    () => agent.run('retry'),
    ({ code }) => code === 0,
  );
  await untilSo(async () => (await agent.status()).needs_administrator.length === 0, 'it is read');
  await untilSo(async () => (await reportedState()) === 'quiet', 'the service knows');
  assert.notEqual(readFileSync(files.root, 'utf8'), before);
});
