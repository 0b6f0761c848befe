import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { createEmptyDatabase, noPostgres, startCluster, type TestCluster } from '../support/databases.ts';
import { type InstanceAnswer, type Instances, startInstances } from '../support/instances.ts';
import { cases, partOf } from '../support/part.ts';
import { noRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { until } from '../support/until.ts';

const INSTANCES = 2;
const CALLERS = 12;
const MANY = 1_000_000;

describe('Redis and PostgreSQL are lost under load', { skip: noPostgres || noRedis }, () => {
  let cluster: TestCluster;
  let redis: TestRedis;
  let testProvider: TestProvider;
  let instances: Instances;
  let loaded: TestAccount;
  before(async () => {
    [cluster, redis, testProvider] = await Promise.all([startCluster(), startRedis(), startTestProvider()]);
    const { databaseUrl } = await createEmptyDatabase(cluster.url);
    instances = await startInstances(INSTANCES, {
      DATABASE_URL: databaseUrl,
      DATABASE_WAIT_MS: '60000',
      REDIS_URL: redis.url,
      PROVIDER_OPENAI_URL: testProvider.url,
      LOG_LEVEL: 'info',
    });
    loaded = await addAccount(instances, { plan: 'pro', perMinute: MANY, monthly: MANY });
  });
  after(async () => {
    await instances?.close();
    await Promise.all([cluster.remove(), redis.stop(), testProvider.close()]);
  });

  const each = Array.from({ length: INSTANCES }, (_, n) => n);
  const scan = (n: number, key: string) =>
    instances.call(n, 'POST', '/api/v1/security/scan', { key, body: { content: 'hello' } });
  let chats = 0;
  const chat = (n: number, key: string) =>
    instances.call(n, 'POST', '/api/v1/chat/completions', {
      key,
      body: { model: `model-${++chats}`, messages: [{ role: 'user', content: 'hello' }] },
      headers: { authorization: `Bearer ${PROVIDER_KEY}` },
    });
  const isReady = async (n: number) => (await fetch(`${instances.address(n)}/health/ready`)).ok;
  const isShared = async (n: number) =>
    /^gateway_limits_shared 1$/m.test(await (await fetch(`${instances.address(n)}/metrics`)).text());
  const allAre = (look: (n: number) => Promise<boolean>, due: boolean) =>
    until(
      () => Promise.all(each.map(look)),
      (states) => states.every((state) => state === due),
    );

  const answers: InstanceAnswer[] = [];
  let scans = 0;
  let served = 0;
  /** Sends requests while something happens, and until some more were served afterwards. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const caller = async (_: unknown, n: number): Promise<void> => {
      while (!isOver) {
        const isChat = n % 3 === 0;
        const answer = await (isChat ? chat(n, loaded.key) : scan(n, loaded.key));
        if (!isChat) scans += 1;
        answers.push(answer);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    const more = () =>
      until(
        async () => answers.length,
        (
          (due) => (count) =>
            count >= due
        )(answers.length + 100),
      );
    await more();
    await work();
    await more();
    isOver = true;
    await callers;
  }
  function assertAllServed(what: string): void {
    const others = answers.slice(served).filter(({ status }) => status !== 200);
    assert.deepEqual(
      others.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).slice(0, 3),
      [],
      `${others.length} of ${answers.length - served} were rejected: ${what}`,
    );
    served = answers.length;
  }
  /** Returns how many requests the instances allow together, per minute. */
  async function allowedPerMinute(key: string, times: number): Promise<readonly number[]> {
    const all = await Promise.all(
      Array.from({ length: times * INSTANCES }, (_, n) =>
        instances.call(n, 'GET', '/api/v1/usage/stats', { key }),
      ),
    );
    const minutes = Map.groupBy(all, ({ headers }) => headers['x-ratelimit-reset']);
    return [...minutes.values()].map((answered) => answered.filter(({ status }) => status === 200).length);
  }

  const losses = partOf(
    'losses of Redis',
    [
      ['is killed', () => redis.kill(), () => redis.start()],
      ['hangs', () => redis.sleep(), () => redis.wake()],
      ['takes no writes', () => redis.configure('maxmemory', '1'), () => redis.configure('maxmemory', '0')],
    ] as const,
    1,
  );
  for (const [what, lose, restore] of losses) {
    test(`Redis ${what}: no request is rejected for it, none is unlimited, and limits are shared again`, async () => {
      const limited = await addAccount(instances, { plan: 'enterprise', perMinute: 40 });
      await underLoad(async () => {
        await lose();
        await allAre(isShared, false);
        assert.ok((await Promise.all(each.map(isReady))).every((ready) => ready));
        for (const allowed of await allowedPerMinute(limited.key, 80)) {
          assert.ok(
            allowed <= 40 * INSTANCES,
            `${allowed} in a minute of 40, by ${INSTANCES} that count alone`,
          );
        }
        await restore();
        await allAre(isShared, true);
      });
      assertAllServed(`Redis ${what}`);
      const fresh = await addAccount(instances, { plan: 'enterprise', perMinute: 40 });
      for (const allowed of await allowedPerMinute(fresh.key, 40)) {
        assert.ok(allowed <= 40, `${allowed} in a minute of 40, shared again`);
      }
    });
  }

  test('PostgreSQL is killed: readiness reports it, clients wait, nothing is lost or doubled', async () => {
    await underLoad(async () => {
      for (let round = 0; round < cases(1, 2); round++) {
        await cluster.stop();
        await allAre(isReady, false);
        await cluster.start();
        await allAre(isReady, true);
      }
    });
    assertAllServed('PostgreSQL was away');
  });

  test('finally every response is on record, once', async () => {
    const { accountId, organizationId } = loaded;
    const { storage } = instances;
    const month = new Date().toISOString().slice(0, 7);
    const used = await until(
      () => storage.usage.monthTotal(accountId, month),
      (count) => count >= scans + chats,
    );
    assert.equal(used, scans + chats, 'requests counted');
    assert.equal(testProvider.requests.length, chats, 'calls to the provider');
    const counts = await storage.eventCounts.count(organizationId, { fromMs: 0, toMs: Date.now() + 1 });
    const events = counts.reduce((sum, { count }) => sum + count, 0);
    assert.equal(events, scans + 2 * chats, 'a decision for each prompt and each answer');
    const report = await storage.audit.verify(organizationId);
    assert.equal(report.valid, true, JSON.stringify(report.faults));
    assert.equal(report.checked, events);
    for (const one of instances.processes) {
      const lost = one.output().stderr.split('Redis cannot be used').length - 1;
      assert.equal(lost, losses.length, 'the log reports each loss once');
    }
  });
});
