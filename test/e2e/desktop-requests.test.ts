/** Requests of users on their computer, and requirements of their organization: with real processes on both ends. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type ControlClient, connectControl } from '../../apps/desktop/src/agent/control/control-client.ts';
import { missingTool } from '../../scripts/system-tools.ts';
import type { Json } from '../support/answers.ts';
import {
  type AgentTestEnv,
  ATTACK,
  CARD,
  HARMLESS,
  openAgentTestEnv,
} from '../support/desktop/agent-test-env.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { runCommand } from '../support/run-command.ts';
import { until, untilTrue } from '../support/until.ts';

const PASSWORD = 'company-password-of-this-test';
let testEnv: AgentTestEnv;
let control: ControlClient;
const decided: string[] = [];

before(async () => {
  testEnv = await openAgentTestEnv();
  await testEnv.operator.run([
    ...['devices', 'settings', '--min-version', '99.0.0', '--force-update', 'force'],
    ...['--channel', 'beta', '--fleet', 'Sales'],
  ]);
  await testEnv.start();
  const connected = await connectControl(path.join(testEnv.agent.stateDir, 'control.json'), {
    onFrame(frame) {
      if ('event' in frame && frame.event === 'request-decided') {
        decided.push(`${frame.request.id} ${frame.request.status}`);
      }
    },
  });
  assert.ok(connected !== null);
  control = connected;
});
after(async () => {
  control.close();
  await testEnv.close();
});

async function json(...args: readonly string[]): Promise<Json> {
  const { code, stdout, stderr } = await testEnv.agent.run(...args, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Json;
}

/** The event of a decision comes over the live channel only: no poll of the configuration raises it. */
const isDecided = (id: string, status: string) =>
  until(
    () => decided,
    (all) => all.includes(`${id} ${status}`),
  );

const version = async () => (await control.call('status')).policy_version;

test('an approved exception changes exactly the decision it names, online and offline, until it is cancelled', {
  skip: noCurl,
}, async () => {
  const port = await testEnv.proxyPort();
  await testEnv.ask(CARD, port);
  assert.doesNotMatch(testEnv.lastPrompt(), /4111/);
  const before = await version();
  const asked = await json(
    'exceptions',
    'request',
    '--host',
    'localhost',
    '--threat',
    'pii_leak',
    '--minutes',
    '5',
    '--reason',
    'A test.',
  );
  assert.deepEqual(
    [asked['status'], asked['requested_minutes'], asked['threat']],
    ['pending', 5, 'pii_leak'],
  );
  const id = String(asked['id']);
  await testEnv.ask(CARD, port);
  assert.doesNotMatch(testEnv.lastPrompt(), /4111/, 'a request alone changes nothing');

  await testEnv.operator.json(['exceptions', 'approve', id]);
  await isDecided(id, 'approved');
  await untilTrue(
    async () => (await version()) !== before,
    () => 'the configuration did not come',
  );
  await testEnv.ask(CARD, port);
  assert.match(testEnv.lastPrompt(), /4111 1111/);
  assert.notEqual((await testEnv.ask(`${CARD}. ${ATTACK}`, port)).status, 200, 'another threat');

  await testEnv.gateway.kill();
  await testEnv.ask(CARD, port);
  assert.match(testEnv.lastPrompt(), /4111 1111/, 'the device alone decides the same');
  assert.notEqual((await testEnv.ask(`${CARD}. ${ATTACK}`, port)).status, 200);
  await testEnv.restartGateway();
  await untilTrue(
    async () =>
      (await control.call('status')).events_waiting === 0 && (await control.call('status')).channel_open,
    () => 'what was decided offline was not handed in',
  );
  const { events } = (await testEnv.operator.json(['events', 'list', '--limit', '50'])) as { events: Json[] };
  assert.ok(events.length > 0);

  const cancelled = await json('exceptions', 'cancel', id);
  assert.equal(cancelled['status'], 'cancelled');
  await isDecided(id, 'cancelled');
  await untilTrue(
    async () => (await version()) === before,
    () => 'it still counts here',
  );
  await testEnv.ask(CARD, port);
  assert.doesNotMatch(testEnv.lastPrompt(), /4111/);
  const listed = await testEnv.agent.run('exceptions', 'list');
  assert.match(listed.stdout, new RegExp(`^${id} {2}cancelled  localhost  pii_leak`, 'm'));
});

test('a blocked tool can be requested, approved and used; a meaningless request is rejected in one sentence', {
  skip: noCurl,
}, async () => {
  const port = await testEnv.proxyPort();
  await testEnv.operator.run(['devices', 'settings', '--block-tools', 'localhost']);
  await untilTrue(
    async () => (await testEnv.ask(HARMLESS, port)).status === 403,
    () => 'it was not blocked',
  );
  const asked = await json('tool-requests', 'request', '--host', 'localhost', '--name', 'The local one');
  await testEnv.operator.json(['tool-requests', 'approve', String(asked['id'])]);
  await isDecided(String(asked['id']), 'approved');
  await untilTrue(
    async () => (await testEnv.ask(HARMLESS, port)).status === 200,
    () => 'it is blocked still',
  );
  await testEnv.operator.run(['devices', 'settings', '--block-tools', '']);
  assert.match(
    (await testEnv.agent.run('tool-requests', 'list')).stdout,
    /approved {3}localhost {2}The local one/,
  );
  for (const [args, sentence] of [
    [
      ['exceptions', 'request', '--host', 'localhost', '--minutes', '5000'],
      /^requested_minutes must be <= 1440\.\n$/,
    ],
    [['exceptions', 'cancel', 'exc_nothing'], /^[A-Z][^\n]*\n$/],
    [['exceptions', 'request', '--host', 'localhost', '--minutes', 'x'], /It must be a whole number/],
  ] as const) {
    const { code, stderr } = await testEnv.agent.run(...args);
    assert.notEqual(code, 0);
    assert.match(stderr, sentence);
  }
});

test('status and doctor report what the organization requires of a managed installation', {
  skip: noCurl,
}, async () => {
  // A busy computer's agent may not respond in time.
  const status = await until(
    () => testEnv.agent.status(),
    ({ update }) => update != null,
  );
  assert.deepEqual([status.fleet, status.pinned_channel, status.update?.required], ['Sales', 'beta', true]);
  assert.match(status.update?.sentence ?? '', /requires version 99\.0\.0 .* channel "beta"/);
  assert.equal(status.problem, null, 'it still protects');
  assert.match(
    (await testEnv.agent.run('doctor')).stdout,
    /^FAULT {2}update: Your organization requires version 99/m,
  );
});

test('a diagnostics file describes the agent and contains no secret or text', { skip: noCurl }, async () => {
  const out = path.join(testEnv.folder, 'diagnostics.json');
  const agent = testEnv.agent.with({ AGENT_UPSTREAM_PROXY: `http://kim:${PASSWORD}@proxy.example:3128` });
  const made = await agent.run('diagnostics', '--out', out);
  assert.equal(made.code, 0, made.stderr);
  const text = readFileSync(out, 'utf8');
  const { findings, status, recent_decisions, settings } = JSON.parse(text);
  assert.ok(findings.length >= 5 && status.running && recent_decisions.length >= 5);
  assert.equal(settings.upstream_proxy, 'http://…@proxy.example:3128');
  assert.equal(statSync(out).mode & 0o777, 0o600);
  const secrets = ['device-credential.secret', 'issuer-key.secret'].map((name) =>
    readFileSync(path.join(testEnv.agent.stateDir, name), 'utf8').trim(),
  );
  const { token } = JSON.parse(readFileSync(path.join(testEnv.agent.stateDir, 'control.json'), 'utf8'));
  const others = ['PRIVATE KEY', '4111 1111', '41111111', 'previous instructions'];
  for (const [i, secret] of [...secrets, token, PASSWORD, ...others].entries()) {
    assert.ok(!text.includes(secret), `secret or text number ${i} is in it`);
  }
  const again = await agent.run('diagnostics', '--out', out);
  assert.match(again.stderr, /already exists/);
});

test('agent env: curl, Node, Python and git use the proxy, trust it, and reach their targets', {
  skip: missingTool(['curl', 'python', 'git']),
}, async () => {
  const url = `https://localhost:${testEnv.testProvider.port}/v1/models`;
  const ended = await testEnv.agent.run('env');
  assert.equal(ended.code, 0, ended.stderr);
  const lines = ended.stdout;
  const clients = {
    curl: `curl -sS --max-time 60 ${url}`,
    node: `"$NODE" -e "fetch('${url}').then((a) => a.text()).then(console.log)"`,
    python3: `python3 -c "import urllib.request; print(urllib.request.urlopen('${url}').read().decode())"`,
    // There is no repository, which git can know only after talking to the server.
    git: `git ls-remote ${url} 2>&1 | grep -v -i certificate`,
  };
  for (const [program, command] of Object.entries(clients)) {
    const seen = testEnv.testProvider.requests.length;
    // Loopback is bypassed by default; here the provider is on loopback.
    const script = `${lines}\nexport NO_PROXY= no_proxy=\n${command}`;
    const env = { PATH: process.env['PATH'] ?? '', HOME: testEnv.folder, NODE: process.execPath };
    const { stdout, stderr } = await runCommand('sh', ['-c', script], { env }).ended;
    assert.ok(testEnv.testProvider.requests.length > seen, `${program} did not reach it: ${stdout}${stderr}`);
  }
});

test('unenrolling revokes the device and its credential at the service', {
  skip: noCurl,
}, async () => {
  const { device_id } = await testEnv.agent.status();
  const key = readFileSync(path.join(testEnv.agent.stateDir, 'device-credential.secret'), 'utf8');
  const gone = await testEnv.agent.run('unenroll');
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(gone.stdout, new RegExp(`has revoked the device ${device_id}\\.`));
  const { devices } = (await testEnv.operator.json(['devices', 'list'])) as { devices: Json[] };
  assert.equal(devices.find(({ id }) => id === device_id)?.['state'], 'revoked');
  const answer = await fetch(`${testEnv.gateway.address}/api/v1/devices/config`, {
    headers: { 'x-api-key': key },
  });
  assert.equal(answer.status, 401);
});

test('unenrolling while the service is away removes everything here, and names the device that stays listed', {
  skip: noCurl,
}, async () => {
  const { token } = await testEnv.operator.json(['enrollments', 'create']);
  const enrolled = await testEnv.agent.run(
    'enroll',
    '--server',
    testEnv.gateway.address,
    '--token',
    String(token),
  );
  assert.equal(enrolled.code, 0, enrolled.stderr);
  await testEnv.gateway.kill();
  const gone = await testEnv.agent.run('unenroll');
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(
    gone.stdout,
    /could not be reached and still lists the device dev_\w+\. Ask an administrator to revoke it/,
  );
  assert.equal((await testEnv.agent.status()).enrolled, false);
});
