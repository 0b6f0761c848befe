import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import type { FromProxy, ToProxy } from '../../../apps/desktop/src/proxy/messages.ts';
import { probeProxy } from '../../../apps/desktop/src/proxy/probe-proxy.ts';
import { SUPERVISOR_DEFAULTS, type SupervisorOptions } from '../../../apps/desktop/src/supervisor/machine.ts';
import {
  createSupervisor,
  type Supervisor,
  type SupervisorStatus,
} from '../../../apps/desktop/src/supervisor/run-supervisor.ts';
import { spawnProxy } from '../../../apps/desktop/src/supervisor/spawn-proxy.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';
import { PROBE_HOST, testConfig } from '../../support/desktop/test-stack.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../apps/desktop/src/proxy/proxy-process.ts');
const QUICK: SupervisorOptions = {
  ...SUPERVISOR_DEFAULTS,
  probeEveryMs: 50,
  // Longer than a busy computer stalls a proxy that works.
  probeTimeoutMs: 30_000,
  firstPauseMs: 10,
  startTimeoutMs: 30_000,
};

let supervisor: Supervisor | undefined;
afterEach(() => supervisor?.stop());

/** A real proxy in a process of its own, supervised; `until` waits for an entry of the log. */
async function supervised(options: SupervisorOptions = QUICK, script = SCRIPT) {
  const device = await newAuthority([PROBE_HOST]);
  const log: string[] = [];
  let wake: (() => void) | undefined;
  const note = (line: string): void => {
    log.push(line);
    wake?.();
  };
  let pid = 0;
  let probes = 0;
  const own = createSupervisor(
    {
      now: () => performance.now(),
      start(callbacks) {
        const handle = spawnProxy<ToProxy, FromProxy>(
          {
            nodePath: process.execPath,
            scriptPath: script,
            env: {},
            first: { type: 'configure', config: testConfig() },
            shutdown: { type: 'shutdown', graceMs: 100 },
            graceMs: 5_000,
            onMessage(message, send) {
              if (message.type !== 'need-leaf') return;
              void device.issuer
                .leafFor(message.host, Date.now())
                .then((leaf) => send({ type: 'leaf', host: message.host, leaf }));
            },
          },
          callbacks,
        );
        pid = handle.pid;
        note('start');
        return handle;
      },
      probe(port, timeoutMs) {
        probes += 1;
        return probeProxy({
          port,
          timeoutMs,
          probeHost: PROBE_HOST,
          rootPem: device.root.pem,
          token: 'token-of-this-test',
        });
      },
      protect: async () => note('protect'),
      release: async () => note('release'),
      report: ({ state, restarts }: SupervisorStatus) => note(`${state} ${restarts}`),
    },
    options,
  );
  supervisor = own;
  own.start();
  return {
    own,
    log,
    pid: () => pid,
    probes: () => probes,
    async until(line: string | RegExp, from = 0): Promise<void> {
      const isDue = (entry: string) => (typeof line === 'string' ? entry === line : line.test(entry));
      while (!log.slice(from).some(isDue)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test('after kill -9 the settings are restored, and the proxy is restarted and protects again', async () => {
  const s = await supervised();
  await s.until('protect');
  const mark = s.log.length;
  process.kill(s.pid(), 'SIGKILL');
  await s.until('release', mark);
  await s.until('quiet 1', mark);
  assert.deepEqual(s.log.slice(mark, mark + 2).sort(), ['release', 'retrying 0'], 'before the new start');
  assert.equal(s.own.status().protects, true);
});

test('a stopped process is detected, killed and replaced', async () => {
  const s = await supervised({ ...QUICK, probeTimeoutMs: SUPERVISOR_DEFAULTS.probeTimeoutMs });
  await s.until('protect');
  const mark = s.log.length;
  const stopped = s.pid();
  const probes = s.probes();
  process.kill(stopped, 'SIGSTOP');
  await s.until('release', mark);
  // The probe in progress when it stopped, and those that make a hang.
  const made = s.probes() - probes;
  assert.ok(made <= QUICK.failuresToHang + 1, `${made} probes`);
  // A busy computer may need more restarts with a probe as short as this.
  await s.until(/^quiet [1-9]/, mark);
  assert.throws(() => process.kill(stopped, 0), { code: 'ESRCH' });
});

test('stop restores the settings and leaves no process', async () => {
  const s = await supervised();
  await s.until('protect');
  await s.own.stop();
  assert.equal(s.log.at(-1), 'release');
  assert.throws(() => process.kill(s.pid(), 0), { code: 'ESRCH' });
});

test('a program that cannot run is given up with the reason, and no setting was changed', async () => {
  const s = await supervised({ ...QUICK, budget: 2 }, '/nonexistent/proxy.ts');
  await s.until('gave_up 2');
  assert.ok(!s.log.includes('protect'));
  assert.match(s.own.status().reason ?? '', /The proxy exited/);
});

test('another server at the port is not taken for the proxy', async () => {
  const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as { port: number };
  const reported = Promise.withResolvers<SupervisorStatus>();
  let protects = 0;
  const own = createSupervisor(
    {
      now: () => performance.now(),
      start: ({ ready }) => {
        queueMicrotask(() => ready(port));
        return { kill: () => {}, end: async () => {} };
      },
      probe: (at, timeoutMs) =>
        probeProxy({ port: at, timeoutMs, probeHost: PROBE_HOST, rootPem: '', token: 'token-of-this-test' }),
      protect: async () => void protects++,
      release: async () => {},
      report: (status) => reported.resolve(status),
    },
    QUICK,
  );
  own.start();
  assert.equal((await reported.promise).state, 'retrying');
  assert.equal(protects, 0);
  await own.stop();
  stranger.close();
});

test('on stop the proxy ends only after the settings are restored', async () => {
  const order: string[] = [];
  const isProtected = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  const own = createSupervisor(
    {
      now: () => performance.now(),
      start: ({ ready }) => {
        queueMicrotask(() => ready(1));
        return { kill: () => {}, end: async () => void order.push('ended') };
      },
      probe: async () => null,
      protect: async () => isProtected.resolve(),
      async release() {
        order.push('releasing');
        await isReleased.promise;
        order.push('released');
      },
      report: () => {},
    },
    QUICK,
  );
  own.start();
  await isProtected.promise;
  const stopped = own.stop();
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(order, ['releasing']);
  isReleased.resolve();
  await stopped;
  assert.deepEqual(order, ['releasing', 'released', 'ended']);
});
