/** An agent that stalls for seconds, as when a computer wakes up, while an app connects to a new AI host. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../support/answers.ts';
import { type AgentTestEnv, ATTACK, HARMLESS, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { curl, noCurl } from '../support/desktop/curl.ts';
import { untilTrue } from '../support/until.ts';

const skip = process.platform === 'win32' ? 'Windows stops no process by a signal' : noCurl;
let testEnv: AgentTestEnv;
before(async () => {
  if (skip === false) testEnv = await openAgentTestEnv();
});
after(() => testEnv?.close());

test('the host is closed, never uninspected; it is reported, and opens once the agent responds', {
  skip,
}, async () => {
  const agent = await testEnv.start();
  const port = await testEnv.proxyPort();
  agent.child.kill('SIGSTOP');
  const during = await testEnv.ask(ATTACK, port);
  assert.equal(during.code, 56, `CONNECT must be rejected: ${during.stdout} ${during.stderr}`);
  assert.match(during.stderr, /response 503/);
  agent.child.kill('SIGCONT');
  let last = during;
  await untilTrue(
    async () => {
      last = await testEnv.ask(ATTACK, port);
      return last.code === 0;
    },
    () => `it stays closed: ${last.stderr}`,
  );
  assert.equal(last.status, 403, 'the attack is blocked');
  assert.equal(testEnv.testProvider.requests.length, 0, 'nothing reached the provider');
  assert.equal((await testEnv.ask(HARMLESS, port)).status, 200);
  let events: Json[] = [];
  await untilTrue(
    async () => {
      ({ events } = (await testEnv.operator.json(['events', 'list', '--limit', '50'])) as { events: Json[] });
      return events.some(({ route }) => route === 'device');
    },
    () => `the service was not told: ${JSON.stringify(events)}`,
  );
  const [reported] = events.filter(({ route }) => route === 'device');
  assert.equal(reported?.['decision'], 'block');
  await agent.end('SIGTERM');
});

test('an app with pinned certificates is tunneled, which event, status, heartbeat and doctor report', {
  skip,
}, async () => {
  const agent = await testEnv.start();
  const port = await testEnv.proxyPort();
  const url = `https://localhost:${testEnv.testProvider.port}/v1/models`;
  const pinned = () => curl(port, testEnv.providerCa, [url]);
  assert.equal((await pinned()).code, 60);
  assert.equal((await pinned()).code, 60);
  assert.equal((await pinned()).code, 0, 'its own connections are tunneled');
  const status = await testEnv.agent.status();
  assert.match(status.unread.join(), /^localhost is not inspected: .*curl.* does not accept the certificate/);
  const doctor = await testEnv.agent.run('doctor');
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /localhost is not inspected/);
  let devices: Json[] = [];
  await untilTrue(
    async () => {
      ({ devices } = (await testEnv.operator.json(['devices', 'list'])) as { devices: Json[] });
      return devices[0]?.['state'] === 'retrying';
    },
    () => `the service was not told: ${JSON.stringify(devices)}`,
  );
  await agent.end('SIGTERM');
});
