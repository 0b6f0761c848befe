import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AuditPageResponse } from '@csg/shared/contract';
import Database from 'better-sqlite3';
import { openBrowser, PASSWORD, type TestBrowser } from '../support/browser.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { type GatewayProcess, runCli, startGatewayProcess } from '../support/gateway-process.ts';
import { type LoadResult, runLoad } from '../support/load.ts';
import { cases, isWhole } from '../support/part.ts';
import { startTestProviderProcess, type TestProviderProcess } from '../support/test-provider-process.ts';
import { until } from '../support/until.ts';

const EMAIL = 'owner@example.com';
const LIMIT = 32;
const CONNECTIONS = cases(300, 600);
const AMOUNT = cases(1_200, 2_400);
const WARM_UP = cases(100, 400);
const BODY = JSON.stringify({
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'The quarterly report is on the shelf. '.repeat(25) }],
});

/** The real service as a process, its provider, one device and its owner. */
interface Stand {
  readonly gateway: GatewayProcess;
  readonly owner: TestBrowser;
  readonly device: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

async function open(providerUrl: string, loadLimit: number): Promise<Stand> {
  const dataDir = await mkdtemp(join(tmpdir(), 'csg-load-'));
  const gateway = await startGatewayProcess({
    dataDir,
    env: { PROVIDER_OPENAI_URL: providerUrl, LOAD_LIMIT_REQUESTS: String(loadLimit) },
  });
  const cli = { GATEWAY_DATA_DIR: dataDir };
  await runCli(['plan', 'set', '--plan', 'enterprise', '--per-minute', '1000000'], cli);
  const made = await runCli(['enrollments', 'create', '--json'], cli);
  const enrolled = await fetch(`${gateway.address}/api/v1/enroll`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token: (JSON.parse(made.stdout) as { token: string }).token,
      device_name: 'Laptop',
      platform: 'linux',
    }),
  });
  const { api_key: device } = (await enrolled.json()) as { api_key: string };
  const owner = openBrowser(gateway);
  const token = /set-up\?token=(\S+)/.exec(gateway.output().stdout)?.[1];
  const setUp = await owner.call('POST', '/set-up', { token, email: EMAIL, password: PASSWORD });
  assert.equal(setUp.status, 200, JSON.stringify(setUp.body));
  return {
    gateway,
    owner,
    device,
    dataDir,
    async close() {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const press = ({ gateway }: Stand, load: { connections: number; amount: number }): Promise<LoadResult> =>
  runLoad({
    url: `${gateway.address}/api/v1/chat/completions`,
    headers: {
      'content-type': 'application/json',
      'x-api-key': gateway.firstKey ?? '',
      authorization: `Bearer ${PROVIDER_KEY}`,
    },
    body: BODY,
    ...load,
  });

describe('more requests than can be served', () => {
  let testProvider: TestProviderProcess;
  let stand: Stand;
  let result: LoadResult;
  /** Requests sent during the load, and their statuses. */
  const beside: Record<string, number[]> = {};
  const healths = new Set<string>();
  /** Totals of all following tests, to compare with the records. */
  let served = 0;
  let turnedAway = 0;

  before(async () => {
    testProvider = await startTestProviderProcess();
    stand = await open(testProvider.url, LIMIT);
    // Code that has never run is slow.
    await press(stand, { connections: 8, amount: WARM_UP });
    const { gateway, owner, device } = stand;
    const asDevice = (path: string, body: object) =>
      fetch(`${gateway.address}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': device },
        body: JSON.stringify(body),
      });
    const signIn = async () => {
      const browser = openBrowser(gateway);
      return browser.signIn(EMAIL);
    };
    const health = async () => {
      const answer = await fetch(`${gateway.address}/health`);
      healths.add(((await answer.json()) as { status: string }).status);
      return answer;
    };
    const calls: Record<string, () => Promise<{ readonly status: number }>> = {
      heartbeat: () =>
        asDevice('/devices/heartbeat', {
          agent_version: '1.0.0',
          proxy_restarts: 0,
          supervisor_state: 'quiet',
        }),
      'a device asks': () => asDevice('/guard', { messages: [{ role: 'user', content: 'hello' }] }),
      'the audit log': () => owner.call<AuditPageResponse>('GET', '/audit-log?limit=20'),
      'sign-in': signIn,
      health,
      readiness: () => fetch(`${gateway.address}/health/ready`),
    };
    const loading = press(stand, { connections: CONNECTIONS, amount: AMOUNT });
    let isOver = false;
    loading.finally(() => {
      isOver = true;
    });
    // One after the other, as a single observer would.
    while (!isOver) {
      for (const [name, call] of Object.entries(calls)) {
        beside[name] ??= [];
        beside[name].push((await call()).status);
      }
    }
    result = await loading;
    served += WARM_UP + (result.ms[200]?.length ?? 0);
    turnedAway += result.ms[503]?.length ?? 0;
  });
  after(async () => {
    await stand.close();
    await testProvider.stop();
  });

  test('each request is served, or rejected with Retry-After; nothing else', () => {
    assert.deepEqual(Object.keys(result.ms).sort(), ['200', '503'], JSON.stringify(Object.keys(result.ms)));
    const [answered = [], shed = []] = [result.ms[200], result.ms[503]];
    assert.equal(answered.length + shed.length, AMOUNT);
    assert.ok(shed.length > AMOUNT / 10, `there was an overload: ${shed.length} of ${AMOUNT} rejected`);
    assert.ok(answered.length > AMOUNT / 10, `many were served: ${answered.length} of ${AMOUNT}`);
    assert.deepEqual(result.retryAfter, { 503: shed.length }, 'each response says when to retry');
  });

  test('devices, the audit log, sign-in and health are always served', () => {
    for (const [name, statuses] of Object.entries(beside)) {
      assert.ok(statuses.length >= 2, `${name} was requested ${statuses.length} times`);
      assert.deepEqual([...new Set(statuses)], [200], `${name}: ${[...new Set(statuses)]}`);
    }
    assert.ok(healths.has('overloaded'), `health reports it: ${[...healths]}`);
  });

  // That no request enters beyond the limit: test/cloud/limits/in-flight-limiter.test.ts.
  if (isWhole)
    test('far fewer requests are in progress than without a limit, so each is served sooner', async (t) => {
      const unlimited = await open(testProvider.url, 0);
      t.after(() => unlimited.close());
      await press(unlimited, { connections: 8, amount: WARM_UP });
      const input = { connections: CONNECTIONS, amount: AMOUNT };
      /** Runs the load and returns the most requests in progress at any scrape. */
      const pressAndLook = async (one: Stand) => {
        let most = 0;
        let isOver = false;
        const loading = press(one, input).finally(() => {
          isOver = true;
        });
        while (!isOver) {
          const metrics = await (await fetch(`${one.gateway.address}/metrics`)).text();
          most = Math.max(most, Number(/^gateway_work_requests (\d+)$/m.exec(metrics)?.[1]));
        }
        return { most, ms: (await loading).ms };
      };
      const limited = await pressAndLook(stand);
      const freely = await pressAndLook(unlimited);
      assert.deepEqual(Object.keys(freely.ms), ['200']);
      turnedAway += limited.ms[503]?.length ?? 0;
      served += limited.ms[200]?.length ?? 0;
      assert.ok(limited.most > 0 && limited.most < freely.most / 2, `${limited.most} of ${freely.most}`);
    });

  test('afterwards everything is served as before', async () => {
    const { ms } = await press(stand, { connections: 4, amount: 40 });
    assert.deepEqual(Object.keys(ms), ['200']);
    const metrics = await (await fetch(`${stand.gateway.address}/metrics`)).text();
    assert.match(metrics, /^gateway_work_requests 0$/m);
    const shed = /gateway_requests_shed_total\{route="\/api\/v1\/chat\/completions"\} (\d+)/.exec(
      metrics,
    )?.[1];
    assert.equal(Number(shed), turnedAway);
    served += 40;
    await until(
      async () => (await (await fetch(`${stand.gateway.address}/health`)).json()) as { status: string },
      ({ status }) => status === 'ok',
    );
  });

  test('rejected requests leave no records, all others do', async () => {
    const requestCount = beside['a device asks']?.length ?? 0;
    await stand.gateway.stop();
    const database = new Database(join(stand.dataDir, 'gateway.sqlite'), { readonly: true });
    try {
      const count = (sql: string) => (database.prepare(sql).get() as { n: number }).n;
      const events =
        "select count(*) n from security_events where route = 'chat/completions' and direction = ";
      assert.equal(count(`${events} 'input'`), served);
      assert.equal(count(`${events} 'output'`), served);
      assert.equal(
        count('select sum(requests) n from usage_counters where length(period) = 7'),
        served + requestCount,
      );
    } finally {
      database.close();
    }
    const verified = await runCli(['audit', 'verify'], { GATEWAY_DATA_DIR: stand.dataDir });
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });
});
