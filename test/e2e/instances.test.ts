import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { addAccount, addKeyOf, type TestAccount } from '../support/accounts.ts';
import { openBrowser, signInAs, type TestBrowser } from '../support/browser.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { createTestDatabase, noPostgres, type TestDatabase } from '../support/databases.ts';
import { openDeviceSocket } from '../support/device-socket.ts';
import { type InstanceAnswer, type Instances, startInstances } from '../support/instances.ts';
import { cases, seedFor } from '../support/part.ts';
import { seededRandom } from '../support/random.ts';
import { type Receiver, startReceiver } from '../support/receiver/receiver.ts';
import { noRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { until } from '../support/until.ts';

const INSTANCES = cases(2, 4);
const CALLERS = 128;
const MANY = 1_000_000;
const HARMLESS = { content: 'What is the capital of France?' };

/** A quarter of the requests and limits; all in the nightly run. */
const of = (count: number): number => count / cases(4, 1);

describe(`${INSTANCES} instances on one PostgreSQL and one Redis`, { skip: noPostgres || noRedis }, () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let testProvider: TestProvider;
  let receiver: Receiver;
  let instances: Instances;
  before(async () => {
    [database, redis, testProvider, receiver] = await Promise.all([
      createTestDatabase(),
      startRedis(),
      startTestProvider(),
      startReceiver(),
    ]);
    instances = await startInstances(INSTANCES, {
      DATABASE_URL: database.databaseUrl,
      REDIS_URL: redis.url,
      PROVIDER_OPENAI_URL: testProvider.url,
      LOAD_LIMIT_REQUESTS: '0',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      SCRAPE_ALLOW_PRIVATE: 'on',
    });
    // No rate limit may end the tests, however fast they run.
    await instances.storage.subscriptions.set(instances.account.accountId, {
      plan: 'enterprise',
      perMinute: MANY,
    });
  });
  after(async () => {
    await instances?.close();
    await Promise.all([database.drop(), redis.stop(), testProvider.close(), receiver.close()]);
  });

  const each = Array.from({ length: INSTANCES }, (_, n) => n);
  const scan = (n: number, key: string, content = HARMLESS.content) =>
    instances.call(n, 'POST', '/api/v1/security/scan', { key, body: { content } });
  const used = async ({ accountId }: TestAccount) =>
    instances.storage.usage.monthTotal(accountId, new Date().toISOString().slice(0, 7));
  const eventsOf = async ({ organizationId }: TestAccount) => {
    const report = await instances.storage.audit.verify(organizationId);
    assert.equal(report.valid, true, JSON.stringify(report.faults));
    return report.checked;
  };

  test(`${of(10_000)} concurrent requests: every count is exact`, async () => {
    const minute = await addAccount(instances, { plan: 'enterprise', perMinute: of(500) });
    const month = await addAccount(instances, { plan: 'pro', perMinute: MANY, monthly: of(900) });
    // Beyond the quota, the cap allows half as many again.
    const capped = await addAccount(instances, {
      plan: 'scale',
      perMinute: MANY,
      monthly: of(200),
      spendCapUsd: of(0.12),
    });
    const counted = await addAccount(instances, { plan: 'enterprise', perMinute: MANY });
    const repeated = await addAccount(instances, { plan: 'enterprise', perMinute: MANY });

    const KEYS = of(100);
    const answers = new Map<TestAccount, InstanceAnswer[]>();
    const ask = (account: TestAccount, call: (n: number) => Promise<InstanceAnswer>) => {
      const own = answers.get(account) ?? [];
      answers.set(account, own);
      return async (n: number): Promise<void> => void own.push(await call(n));
    };
    const times = (count: number, make: (n: number) => (instance: number) => Promise<void>) =>
      Array.from({ length: count }, (_, n) => make(n));
    const usage = '/api/v1/usage/stats';
    const chat = (n: number) => ({
      key: repeated.key,
      body: { model: `model-${n % KEYS}`, messages: [{ role: 'user', content: 'hello' }] },
      headers: { authorization: `Bearer ${PROVIDER_KEY}`, 'idempotency-key': `key-${n % KEYS}` },
    });
    const requests = [
      ...times(of(4_500), () => ask(minute, (n) => instances.call(n, 'GET', usage, { key: minute.key }))),
      ...times(of(1_500), () => ask(month, (n) => scan(n, month.key))),
      ...times(of(1_000), () => ask(capped, (n) => scan(n, capped.key))),
      ...times(of(2_000), () => ask(counted, (n) => scan(n, counted.key))),
      ...times(of(1_000), (own) =>
        ask(repeated, (n) => instances.call(n, 'POST', '/api/v1/chat/completions', chat(own))),
      ),
    ];
    assert.equal(requests.length, of(10_000));
    const random = seededRandom(seedFor('four instances'));
    for (let n = requests.length - 1; n > 0; n--) {
      const other = Math.floor(random() * (n + 1));
      [requests[n], requests[other]] = [requests[other]!, requests[n]!];
    }
    let next = 0;
    const caller = async (): Promise<void> => {
      for (let n = next++; n < requests.length; n = next++)
        await requests[n]!(Math.floor(random() * INSTANCES));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));

    const byCode = (account: TestAccount) => {
      const counts: Record<string, number> = {};
      for (const { status, code } of answers.get(account)!) {
        const name = String(code ?? status);
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    };
    // Each of Redis's minutes is counted alone: full if any request was rejected, never more.
    const windows = Map.groupBy(answers.get(minute)!, ({ headers }) => headers['x-ratelimit-reset']);
    for (const [reset, window] of windows) {
      const good = window.filter(({ status }) => status === 200);
      const refused = window.filter(({ code }) => code === 'rate_limit_exceeded');
      assert.equal(good.length + refused.length, window.length);
      if (refused.length > 0) assert.equal(good.length, of(500), `the minute until ${reset}`);
      assert.ok(good.length <= of(500), `the minute until ${reset}: ${good.length}`);
      const left = good.map(({ headers }) => headers['x-ratelimit-remaining']);
      assert.equal(new Set(left).size, good.length, 'every request saw a count of its own');
    }
    assert.deepEqual(byCode(month), { 200: of(900), quota_exceeded: of(600) });
    assert.deepEqual(byCode(capped), { 200: of(500), spending_limit_exceeded: of(500) });
    assert.deepEqual(byCode(counted), { 200: of(2_000) });
    const { 200: served, idempotency_in_progress: early = 0, ...others } = byCode(repeated);
    assert.deepEqual(others, {});
    assert.equal(served! + early, of(1_000));
    const models = testProvider.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { model: string }).model,
    );
    assert.equal(new Set(models).size, KEYS);
    assert.equal(models.length, KEYS, 'one call to the provider for each key');

    // Counts that no request waited for are written a quarter of a second later.
    const settled = (account: TestAccount, due: number) =>
      until(
        () => used(account),
        (count) => count >= due,
      );
    for (const [account, due] of [
      [month, of(900)],
      [capped, of(500)],
      [counted, of(2_000)],
    ] as const) {
      assert.equal(await settled(account, due), due);
      const counts = await instances.storage.eventCounts.count(account.organizationId, {
        fromMs: 0,
        toMs: Date.now() + 1,
      });
      const total = counts.reduce((sum, { count }) => sum + count, 0);
      assert.equal(total, due, 'one event for each');
      assert.ok((await eventsOf(account)) >= due, 'one row of the audit log for each');
    }
  });

  test('a change at one instance applies at all', async () => {
    const admin = await signInAs({ ...instances, address: instances.address(1) }, 'admin');
    const owner = await newKey();
    const made = await instances.call(0, 'POST', '/api/v1/api-keys', {
      key: owner,
      body: { name: 'Shared' },
    });
    const { id, key } = made.body as { id: string; key: string };
    const everywhere = (due: (answer: InstanceAnswer) => boolean) =>
      Promise.all(each.map((n) => until(() => scan(n, key, 'The falcon-7 has landed.'), due)));
    await everywhere(({ body }) => body['decision'] === 'allow');
    const policy = await admin.call<{ id: string }>('POST', '/policies', {
      name: 'Falcon',
      action: 'block',
      patterns: [{ name: 'Falcon', pattern: 'falcon-\\d' }],
    });
    assert.equal(policy.status, 200, JSON.stringify(policy.body));
    await everywhere(({ body }) => body['decision'] === 'block');
    await admin.call('DELETE', `/policies/${policy.body.id}`);
    await everywhere(({ body }) => body['decision'] === 'allow');
    await instances.call(2, 'PUT', `/api/v1/api-keys/${id}/toggle`, { key: owner });
    await everywhere(({ code }) => code === 'disabled_api_key');
    await instances.call(3, 'DELETE', `/api/v1/api-keys/${id}`, { key: owner });
    await everywhere(({ code }) => code === 'unauthorized');
  });

  test('wrong passwords at one instance count at all', async () => {
    const guess = async (n: number) => {
      const browser = openBrowser({ address: instances.address(n) });
      return (await browser.signIn('ada@example.com', 'a wrong one')).error['code'];
    };
    // Ten attempts for an account from one address, at any instance.
    for (let n = 0; n < 10; n++) assert.equal(await guess(n), 'wrong_credentials', `guess ${n}`);
    await Promise.all(
      each.map((n) =>
        until(
          () => guess(n),
          (code) => code === 'rate_limit_exceeded',
        ),
      ),
    );
  });

  test('every page of a batch is fetched once, and any instance reports its progress', async (t) => {
    const requestedUrls: (string | undefined)[] = [];
    const site = createServer((request, response) => {
      requestedUrls.push(request.url);
      response.setHeader('content-type', 'text/html').end('<p>A page about gardens.</p>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    t.after(() => site.close());
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const key = await newKey();
    const jobs = await Promise.all(
      each.map((n) =>
        instances.call(n, 'POST', '/api/v1/scrape/batch', {
          key,
          body: { urls: Array.from({ length: 15 }, (_, page) => `${base}/${n}/${page}`) },
        }),
      ),
    );
    for (const [n, job] of jobs.entries()) {
      const path = `/api/v1/scrape/batch/${String(job.body['job_id'])}`;
      const done = await until(
        () => instances.call(n + 1, 'GET', path, { key }),
        ({ body }) => body['status'] !== 'processing',
      );
      assert.equal(done.body['status'], 'completed', JSON.stringify(done.body));
      assert.equal(done.body['urls_completed'], 15);
    }
    assert.equal(requestedUrls.length, 15 * INSTANCES);
    assert.equal(new Set(requestedUrls).size, 15 * INSTANCES);
  });

  test('a device receives decisions at whichever instance it listens', async () => {
    const { token } = await instances.storage.enrollments.create(instances.account.organizationId, {
      projectId: instances.account.projectId,
      uses: INSTANCES,
    });
    const admin = await signInAs({ ...instances, address: instances.address(0) }, 'admin');
    for (const n of each) {
      const enrolled = await instances.call(n, 'POST', '/api/v1/enroll', {
        key: '',
        body: { token, device_name: `Laptop ${n}`, platform: 'linux' },
      });
      const { api_key: key, device_id: deviceId } = enrolled.body as { api_key: string; device_id: string };
      const device = await openDeviceSocket(instances.address(n), key);
      const requested = await instances.call(n + 1, 'POST', '/api/v1/exceptions', {
        key,
        body: { destination_host: 'chatgpt.com', requested_minutes: 5 },
      });
      const decider = at(instances.address(n + 2), admin);
      const approved = await decider.call('POST', `/exceptions/${String(requested.body['id'])}/decision`, {
        decision: 'approve',
      });
      assert.equal(approved.status, 200, JSON.stringify(approved.body));
      const notified = (await device.next('exception-decided'))['exception'] as {
        id: string;
        status: string;
      };
      assert.deepEqual([notified.id, notified.status], [requested.body['id'], 'approved']);
      await at(instances.address(n + 3), admin).call('POST', `/devices/${deviceId}/revoke`);
      await device.next('revoked');
      await device.closed;
    }
  });

  /** A new key each time: no instance has it in its cache. */
  const newKey = () => addKeyOf(instances, instances.account, instances.account.accountId);
});

/** The same browser at another instance, as behind a load balancer. */
function at(address: string, browser: TestBrowser): TestBrowser {
  const twin = openBrowser({ address });
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
  twin.csrfToken = browser.csrfToken;
  return twin;
}
