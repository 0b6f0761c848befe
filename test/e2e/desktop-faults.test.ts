/**
 * Whatever fails, the network of the computer works within five seconds and the status is correct. Real processes; the
 * setting of the computer is a stand-in `gsettings`, followed as a browser follows it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { listDevices } from '../../apps/cloud/src/flows/devices/manage-devices.ts';
import type { Json } from '../support/answers.ts';
import { createManualClock } from '../support/clock.ts';
import { agentCommands, type RunningAgentProcess } from '../support/desktop/agent-process.ts';
import { type AgentTestEnv, ATTACK, HARMLESS, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { browse, type Reached } from '../support/desktop/browse.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { childOf, isGone } from '../support/desktop/processes.ts';
import { startGateway } from '../support/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { untilTrue } from '../support/until.ts';

const skip = process.platform === 'linux' ? noCurl : 'processes and settings are looked at as Linux has them';
const gsettings = fakeGsettings();
let testEnv: AgentTestEnv;
let running: RunningAgentProcess;
/** How often the running agent had to restart its proxy. */
let restarts = 0;

before(async () => {
  if (skip !== false) return;
  testEnv = await openAgentTestEnv({
    agentEnv: (device) => ({
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      AGENT_SYSTEM_PROXY: 'on',
      // Programs of this computer trust the certificates in this file.
      SSL_CERT_FILE: path.join(device, 'state', 'root.pem'),
    }),
  });
  await start();
});
after(() => testEnv?.close());

async function start(): Promise<void> {
  running = await testEnv.start();
  restarts = 0;
  await untilTrue(isLed, () => `the setting was not made:\n${running.output()}`);
}

const isLed = () => gsettings.read('mode') === 'auto';
const hasEnded = ({ child }: RunningAgentProcess) => child.exitCode !== null || child.signalCode !== null;
const agentPid = () => running.child.pid ?? 0;
const pidOf = (script: string): number => {
  const pid = childOf(agentPid(), script);
  assert.ok(pid !== undefined, `${script} does not run`);
  return pid;
};

/** Longer than a proxy that works takes on a busy computer. */
const TIMEOUT_S = 60;

function reach(patienceS?: number): Promise<Reached> {
  const root = readFileSync(path.join(testEnv.agent.stateDir, 'root.pem'), 'utf8');
  const url = `https://localhost:${testEnv.testProvider.port}/v1/models`;
  return browse({ gsettings, url, roots: `${root}\n${testEnv.providerCa}`, ...(patienceS && { patienceS }) });
}

/**
 * Asserts that the network works again. That it does so within five seconds is arithmetic in
 * test/desktop/supervisor/machine.test.ts: here the computer may be busy.
 */
async function networkWorks(): Promise<Reached> {
  for (let tries = 0; tries < 30; tries++) {
    const reached = await reach();
    if (reached !== 'not at all') return reached;
  }
  assert.fail(`the network does not work\n${running.output()}`);
}

async function protectsAgain(): Promise<void> {
  await untilTrue(
    async () => {
      const status = await testEnv.agent.status();
      return status.proxy_restarts === restarts && status.supervisor_state === 'quiet' && isLed();
    },
    () => `it does not protect again:\n${running.output()}`,
  );
  assert.equal(await reach(TIMEOUT_S), 'by the proxy');
  assert.notEqual((await testEnv.ask(ATTACK)).status, 200);
}

test('initially, traffic is directed to the proxy and attacks are blocked', { skip }, () => protectsAgain());

test('after the proxy is killed with -9 the network works, and protection resumes', { skip }, async () => {
  process.kill(pidOf('proxy-process'), 'SIGKILL');
  restarts++;
  await networkWorks();
  await protectsAgain();
});

test('after the proxy hangs the network works, and protection resumes', { skip }, async () => {
  const pid = pidOf('proxy-process');
  process.kill(pid, 'SIGSTOP');
  restarts++;
  await networkWorks();
  await protectsAgain();
  assert.ok(isGone(pid), 'the hung process is gone');
});

test('when the provider dies within a response, the download fails and the next request works', {
  skip,
}, async () => {
  testEnv.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half of "}}]}\n\n');
    setImmediate(() => testEnv.testProvider.cut());
  });
  const broken = await testEnv.ask(HARMLESS);
  assert.notEqual(broken.code, 0, 'half a response must not look complete');
  testEnv.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
  });
  assert.equal((await testEnv.ask(HARMLESS)).status, 200);
});

// That it soon does not even wait is in test/desktop/cloud-client/request-guard.test.ts.
test('when the service hangs, the device evaluates by itself', { skip }, async () => {
  const port = await testEnv.proxyPort();
  testEnv.gateway.child.kill('SIGSTOP');
  assert.notEqual((await testEnv.ask(ATTACK, port)).status, 200);
  assert.equal((await testEnv.ask(HARMLESS, port)).status, 200);
  testEnv.gateway.child.kill('SIGCONT');
  await protectsAgain();
});

test('while the service is gone and after it returns, the network works', { skip }, async () => {
  await testEnv.gateway.kill();
  await networkWorks();
  assert.notEqual((await testEnv.ask(ATTACK)).status, 200);
  await untilTrue(
    async () => (await testEnv.agent.status()).service_reachable === false,
    () => 'not told',
  );
  assert.match(
    (await testEnv.agent.run('doctor')).stdout,
    /^FAULT {2}service: The service .* cannot be reached/m,
  );
  await testEnv.restartGateway();
  await untilTrue(
    async () => (await testEnv.agent.status()).events_waiting === 0,
    () => 'events wait still',
  );
});

test('a killed watchdog is replaced, and the new one restores the setting', { skip }, async () => {
  const first = pidOf('restore-watchdog');
  process.kill(first, 'SIGKILL');
  await untilTrue(
    () => ![first, undefined].includes(childOf(agentPid(), 'restore-watchdog')),
    () => 'no other',
  );
  const proxy = pidOf('proxy-process');
  running.child.kill('SIGKILL');
  await networkWorks();
  await untilTrue(
    () => !isLed() && isGone(proxy),
    () => `left behind: ${isLed() ? 'the setting' : 'the proxy'}`,
  );
  assert.equal((await testEnv.agent.status()).supervisor_state, 'stopped');
  await start();
  await protectsAgain();
});

test('when the agent hangs, traffic through the proxy continues', { skip }, async () => {
  running.child.kill('SIGSTOP');
  assert.equal(await reach(TIMEOUT_S), 'by the proxy');
  assert.match((await testEnv.agent.status()).problem ?? '', /does not respond/);
  running.child.kill('SIGCONT');
  await protectsAgain();
});

test('with agent, proxy and watchdog killed, pages load by the fallback and the next start restores the setting', {
  skip,
}, async () => {
  const [proxy, watchdog] = [pidOf('proxy-process'), pidOf('restore-watchdog')];
  running.child.kill('SIGSTOP');
  for (const pid of [watchdog, proxy, agentPid()]) process.kill(pid, 'SIGKILL');
  assert.equal(await networkWorks(), 'direct');
  assert.ok(isLed(), 'no process was left to restore it');
  const doctor = await testEnv.agent.run('doctor');
  assert.match(doctor.stdout, /The proxy setting points to the agent, which is not running/);
  await start();
  await running.end('SIGTERM');
  assert.deepEqual([gsettings.read('mode'), gsettings.read('autoconfig-url')], ['none', '']);
});

test('when the proxy keeps dying, the agent gives up and reports it, and the network works', {
  skip,
}, async () => {
  if (hasEnded(running)) await start();
  await untilTrue(
    async () => {
      const pid = childOf(agentPid(), 'proxy-process');
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      return (await testEnv.agent.status()).supervisor_state === 'gave_up';
    },
    () => running.output(),
  );
  const status = await testEnv.agent.status();
  assert.match(status.problem ?? '', /^Nothing is protected, because the proxy is not working: /);
  assert.equal(await networkWorks(), 'direct');
  let output = '';
  await untilTrue(
    async () => {
      const { devices } = (await testEnv.operator.json(['devices', 'list'])) as { devices: Json[] };
      output = String(devices.find(({ id }) => id === status.device_id)?.['state']);
      return output === 'gave_up';
    },
    () => `the service received ${output}`,
  );
  await running.end('SIGTERM');
});

test('the service shows a device that stopped reporting as silent, and reports clocks that differ', {
  skip,
}, async () => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  const { organizationId, projectId } = gateway.account;
  const { token } = await gateway.storage.enrollments.create(organizationId, { projectId, uses: 1 });
  const agent = agentCommands(tempFolder('silent'));
  const enrolled = await agent.run('enroll', '--server', gateway.address, '--token', token);
  assert.equal(enrolled.code, 0, enrolled.stderr);
  const state = async () =>
    (await listDevices({ storage: gateway.storage, clock }, organizationId))[0]?.state;
  assert.equal(await state(), 'never_seen');
  const process = await agent.start();
  await untilTrue(
    async () => (await state()) === 'programs_only',
    () => 'it does not report',
  );
  await process.end('SIGKILL');
  clock.advance(3 * 60_000 + 1);
  assert.equal(await state(), 'silent');
  clock.advance(3_600_000);
  const doctor = await agent.run('doctor');
  assert.match(
    doctor.stdout,
    /^FAULT {2}clock: The clock of this computer differs from that of the service by \d+ minutes\. Correct it/m,
  );
  await gateway.close();
});
