import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import type { FromProxy, ToProxy } from '../../../apps/desktop/src/proxy/messages.ts';
import { probeProxy } from '../../../apps/desktop/src/proxy/probe-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { PROBE_HOST, testConfig } from '../../support/desktop/test-stack.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../apps/desktop/src/proxy/proxy-process.ts');
let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

function start(): ChildProcess {
  child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return child;
}

async function heard<T extends FromProxy['type']>(
  from: ChildProcess,
  type: T,
): Promise<Extract<FromProxy, { type: T }>> {
  for (;;) {
    const [message] = (await once(from, 'message')) as [FromProxy];
    if (message.type === type) return message as Extract<FromProxy, { type: T }>;
  }
}

const say = (to: ChildProcess, message: ToProxy) => to.send(message);

test('configured over its channel, it listens, requests certificates, reports its health, and ends on command', async () => {
  const device = await newAuthority([PROBE_HOST]);
  const proxy = start();
  proxy.on('message', async (message: FromProxy) => {
    if (message.type !== 'need-leaf') return;
    say(proxy, {
      type: 'leaf',
      host: message.host,
      leaf: await device.issuer.leafFor(message.host, Date.now()),
    });
  });
  say(proxy, { type: 'configure', config: testConfig() });
  const { port } = await heard(proxy, 'ready');
  const options = { port, probeHost: PROBE_HOST, rootPem: device.root.pem, timeoutMs: 4_000 };
  assert.equal(await probeProxy({ ...options, token: 'token-of-this-test' }), null);
  assert.match((await probeProxy({ ...options, token: 'another' })) ?? '', /Another program/);
  say(proxy, { type: 'ping', id: 7 });
  const health = await heard(proxy, 'health');
  assert.equal(health.id, 7);
  assert.equal(health.blocked, 0);
  say(proxy, { type: 'shutdown', graceMs: 100 });
  assert.deepEqual(await once(proxy, 'exit'), [0, null]);
});

test('it does not outlive the agent', async () => {
  const proxy = start();
  say(proxy, { type: 'configure', config: testConfig() });
  await heard(proxy, 'ready');
  proxy.disconnect();
  await once(proxy, 'exit');
});

test('it reports what it cannot do in one sentence, and ends', async () => {
  const first = start();
  say(first, { type: 'configure', config: testConfig() });
  const { port } = await heard(first, 'ready');
  const second = start();
  say(second, { type: 'configure', config: testConfig({ port }) });
  assert.equal((await heard(second, 'fault')).code, 'port_taken');
  await once(second, 'exit');
  first.kill('SIGKILL');
  const third = start();
  say(third, { type: 'configure', config: testConfig({ upstreamProxy: 'no address' }) });
  assert.equal((await heard(third, 'fault')).code, 'bad_upstream_proxy');
});
