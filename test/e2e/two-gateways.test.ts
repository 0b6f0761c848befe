import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import { type Json, readAnswer } from '../support/answers.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { createTestDatabase, noPostgres, type TestDatabase } from '../support/databases.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { noRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { withinASecond } from '../support/within-a-second.ts';

describe('two gateways on one PostgreSQL and one Redis', { skip: noPostgres || noRedis }, () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let testProvider: TestProvider;
  const gateways: TestGateway[] = [];
  before(async () => {
    [database, redis, testProvider] = await Promise.all([
      createTestDatabase(),
      startRedis(),
      startTestProvider(),
    ]);
    const env = {
      DATABASE_URL: database.databaseUrl,
      REDIS_URL: redis.url,
      GATEWAY_MASTER_KEY: '5a'.repeat(32),
    };
    const start = () => startGateway({ env, providerUrl: testProvider.url });
    // Concurrently, on an empty database: one schema, one first account.
    const starts = await Promise.allSettled([start(), start()]);
    for (const started of starts) if (started.status === 'fulfilled') gateways.push(started.value);
    for (const started of starts) if (started.status === 'rejected') throw started.reason;
  });
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await Promise.all([database.drop(), redis.stop(), testProvider.close()]);
  });
  beforeEach(() => testProvider.reset());

  const each = (n: number): TestGateway => gateways[n % 2] as TestGateway;
  const scan = (gateway: TestGateway, key: string) =>
    readAnswer(gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } }));
  const usage = async (account: TestAccount, n: number) =>
    (await readAnswer(each(n).call('GET', '/api/v1/usage/stats', { key: account.key }))).body[
      'requests_used'
    ];

  test('both have the same first account', () => {
    assert.equal(each(0).account.accountId, each(1).account.accountId);
    assert.equal(each(0).account.projectId, each(1).account.projectId);
  });

  test('a toggle and a deletion on one apply on the other within a second', async () => {
    const [one, other] = [each(0), each(1)];
    const made = (await readAnswer(one.call('POST', '/api/v1/api-keys', { body: { name: 'Shared' } })))
      .body as { id: string; key: string };
    assert.equal((await scan(other, made.key)).status, 200, 'the other has it in its cache now');
    const changes = [
      ['PUT', '/toggle', 'disabled_api_key'],
      ['PUT', '/toggle', undefined],
      ['DELETE', '', 'unauthorized'],
    ] as const;
    for (const [method, tail, code] of changes) {
      await one.call(method, `/api/v1/api-keys/${made.id}${tail}`);
      const seen = await withinASecond(
        async () => (await scan(other, made.key)).error['code'],
        (current) => current === code,
      );
      assert.equal(seen, code, `${method} ${tail}: not after a second`);
    }
  });

  test('the limit per minute is exact across both', async () => {
    const account = await addAccount(each(0), { plan: 'pro', perMinute: 31 });
    // Redis's own clock separates minutes: a run across the boundary is repeated.
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => scan(each(n), account.key)));
      const resets = new Set(answers.map((answer) => answer.headers.get('x-ratelimit-reset')));
      if (resets.size > 1) continue;
      assert.equal(answers.filter((answer) => answer.status === 200).length, 31);
      assert.equal(answers.filter((answer) => answer.error['code'] === 'rate_limit_exceeded').length, 49);
      const left = answers
        .filter((answer) => answer.status === 200)
        .map((answer) => answer.headers.get('x-ratelimit-remaining'));
      assert.equal(new Set(left).size, 31, 'every request saw a count of its own');
      return;
    }
  });

  test('the monthly limit is exact across both, hard and capped', async () => {
    const hard = await addAccount(each(0), { plan: 'pro', monthly: 27 });
    const capped = await addAccount(each(0), { plan: 'scale', monthly: 20, spendCapUsd: 0.0028 });
    for (const [account, code] of [
      [hard, 'quota_exceeded'],
      [capped, 'spending_limit_exceeded'],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => scan(each(n), account.key)));
      assert.equal(answers.filter((answer) => answer.status === 200).length, 27, code);
      assert.equal(answers.filter((answer) => answer.error['code'] === code).length, 33);
      assert.deepEqual([await usage(account, 0), await usage(account, 1)], [27, 27]);
    }
  });

  test('unlimited requests are all counted', async () => {
    const account = await addAccount(each(0), { plan: 'enterprise' });
    await Promise.all(Array.from({ length: 60 }, (_, n) => scan(each(n), account.key)));
    await Promise.all(gateways.map((gateway) => gateway.storage.flush()));
    assert.equal(await usage(account, 0), 60);
  });

  test('the same idempotency key on both makes one call to the provider', async () => {
    const account = await addAccount(each(0), { plan: 'enterprise' });
    const ask = (n: number) =>
      readAnswer(
        each(n).call('POST', '/api/v1/chat/completions', {
          key: account.key,
          body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] },
          bearer: PROVIDER_KEY,
          headers: { 'idempotency-key': 'shared' },
        }),
      );
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)));
    assert.equal(testProvider.requests.length, 1);
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
    const [first, second] = [await ask(0), await ask(1)];
    assert.equal(first.headers.get('x-idempotency-replayed'), 'true');
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('x-service-event-id'), first.headers.get('x-service-event-id'));
  });

  test('keys and projects created concurrently on both stay within the plan', async () => {
    const account = await addAccount(each(0), { plan: 'pro' });
    const make = (path: string, name: string, n: number) =>
      readAnswer(each(n).call('POST', `/api/v1${path}`, { key: account.key, body: { name } }));
    for (const path of ['/api-keys', '/projects']) {
      // One of each is there already; the plan allows ten.
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => make(path, `${path} ${n}`, n)));
      assert.equal(answers.filter((answer) => answer.status === 200).length, 9, path);
      for (const { status, error, text } of answers.filter((answer) => answer.status !== 200)) {
        assert.equal(error['code'], 'plan_limit_reached', `${status} ${text}`);
      }
    }
  });

  test('the audit chain has no fork and no gap', async () => {
    const { organizationId } = each(0).account;
    await Promise.all(Array.from({ length: 60 }, (_, n) => scan(each(n), each(n).key)));
    const report = await each(1).storage.audit.verify(organizationId);
    assert.equal(report.valid, true, JSON.stringify(report.faults));
    assert.ok(report.checked >= 60);
  });

  test('without Redis each counts alone and logs it once; no request is rejected for it', async () => {
    await redis.kill();
    const account = await addAccount(each(0), { plan: 'free', perMinute: 5 });
    const answers: Json[] = [];
    for (let n = 0; n < 6; n++) {
      const { status } = await scan(each(0), account.key);
      answers.push({ status });
    }
    const refused = answers.filter(({ status }) => status === 429).length;
    // A minute may end in between.
    assert.ok(
      refused <= 1 && answers.every(({ status }) => status === 200 || status === 429),
      JSON.stringify(answers),
    );
    const warnings = each(0).logLines.filter((line) => line.includes('Redis cannot be used'));
    assert.equal(warnings.length, 1);
  });
});
