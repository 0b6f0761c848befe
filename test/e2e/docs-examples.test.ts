import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createEndpointClient } from '../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { installPackages } from '../../scripts/install-packages.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { runCommand } from '../support/run-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EXAMPLES = path.join(ROOT, 'docs/examples');
/** Not among the project's own packages: installed when this test first runs. */
const FETCHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'langchain-blocked.mjs': { '@langchain/core': '1.2.13', '@langchain/openai': '1.6.0' },
  'vercel-ai-blocked.mjs': { ai: '7.0.173', '@ai-sdk/openai': '4.0.118', zod: '4.6.7' },
};

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

const environment = (): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  SERVICE_KEY: gateway.key,
  GATEWAY_URL: gateway.address,
  // Set on many computers; the package would send it in place of the API key.
  ANTHROPIC_API_KEY: 'sk-ant-of-this-machine',
});

for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith('-blocked.mjs'))) {
  test(`docs/examples/${name} shows a blocked prompt, with the environment its first line names`, async () => {
    let file = path.join(EXAMPLES, name);
    const packages = FETCHED[name];
    if (packages !== undefined) {
      const folder = path.join(ROOT, 'node_modules/.cache/examples', path.parse(name).name);
      await installPackages(folder, packages);
      cpSync(file, path.join(folder, name));
      file = path.join(folder, name);
    }
    const { stdout, stderr, code } = await runCommand(process.execPath, [file], {
      cwd: path.dirname(file),
      env: environment(),
    }).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.match(
      stdout,
      /^403 request_blocked\nThis request was blocked by the content security policy\..+\nevt_\w+ \w+\n$/,
    );
  });
}

test('docs/examples/cookbook.sh: every call gets a 2xx', async () => {
  const { stdout, stderr, code } = await runCommand('sh', [path.join(EXAMPLES, 'cookbook.sh')], {
    cwd: ROOT,
    env: environment(),
  }).ended;
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stderr, '');
  for (const expected of ['"decision":"block"', '[EMAIL]', '"allowed":false', '"total_tool_calls":1']) {
    assert.ok(stdout.includes(expected), `${expected} is missing in:\n${stdout}`);
  }
});

test('docs/examples/guard.py: the decisions of three texts', { skip: noHttpx() }, async () => {
  const { stdout, stderr, code } = await runCommand('python3', [path.join(EXAMPLES, 'guard.py')], {
    cwd: ROOT,
    env: environment(),
  }).ended;
  assert.equal(code, 0, stderr);
  assert.equal(stdout, 'allow\nCharge my card [CREDIT_CARD]\ninstruction_override\n');
});

test('docs/examples/webhook-receiver.mjs accepts deliveries signed with either secret, each once', async () => {
  const running = runCommand(process.execPath, [path.join(EXAMPLES, 'webhook-receiver.mjs')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: 'whsec_x' },
  });
  let expected = '';
  running.child.stdout?.on('data', (chunk: Buffer) => {
    expected += chunk;
  });
  await running.outputHas('\n');
  const url = /webhook receiver at (\S+)/.exec(expected)?.[1] ?? '';
  const sender = createEndpointClient({ allowPrivate: true });
  const send = async (eventId: string, ...secrets: string[]) => {
    const body = JSON.stringify({ event: 'threat.blocked', data: { event_id: eventId, reason: 'No.' } });
    return (
      await sender.send({ url, body, event: 'threat.blocked', deliveryId: 'whd_1', isTest: false, secrets })
    ).status;
  };
  assert.deepEqual(
    [
      await send('evt_1', 'whsec_x'),
      await send('evt_2', 'whsec_y', 'whsec_x'),
      await send('evt_1', 'whsec_x'),
    ],
    [204, 204, 204],
  );
  assert.deepEqual([await send('evt_3', 'whsec_y'), await send('evt_3')], [401, 401]);
  running.child.kill();
  await running.ended;
  assert.deepEqual(expected.split('\n').slice(1), [
    'threat.blocked evt_1: No.',
    'threat.blocked evt_2: No.',
    '',
  ]);
});

test('docs/examples/policy-endpoint.mjs responds to signed requests only', async () => {
  const running = runCommand(process.execPath, [path.join(EXAMPLES, 'policy-endpoint.mjs')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: 'whsec_x' },
  });
  let expected = '';
  running.child.stdout?.on('data', (chunk: Buffer) => {
    expected += chunk;
  });
  await running.outputHas('\n');
  const url = /policy endpoint at (\S+)/.exec(expected)?.[1];
  const ask = async (content: string, secret = 'whsec_x') => {
    const body = JSON.stringify({ content });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const answer = await fetch(url!, { method: 'POST', body, headers: { 'x-service-signature': signature } });
    return answer.status === 200 ? ((await answer.json()) as { verdict: string }).verdict : answer.status;
  };
  assert.deepEqual(
    [await ask('Hello'), await ask('Project Heron'), await ask('Anna Ek'), await ask('Hello', 'another')],
    ['allow', 'block', 'redact', 401],
  );
  running.child.kill();
  await running.ended;
});

/** Returns why the Python example cannot run here. */
function noHttpx(): string | false {
  try {
    execFileSync('python3', ['-c', 'import httpx'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'python3 with httpx is not installed';
  }
}
