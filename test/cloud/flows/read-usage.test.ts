import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addDeviceOf, addKeyOf, addOrganization } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway } from '../../support/gateway.ts';

test('usage/stats reports the account’s month in both formats', async (t) => {
  const clock = createManualClock(Date.UTC(2026, 10, 1, 0, 0, 0));
  const gateway = await startGateway({ clock });
  t.after(() => gateway.close());
  const account = await addAccount(gateway, { plan: 'pro' });
  const team = await addOrganization(gateway, account.accountId);
  const device = await addDeviceOf(gateway, account);
  const scan = async (key: string, times: number) => {
    for (let n = 0; n < times; n++)
      await gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } });
  };
  const stats = async (key: string) =>
    (await readAnswer(gateway.call('GET', '/api/v1/usage/stats', { key }))).body;

  await scan(account.key, 2);
  clock.set(Date.UTC(2026, 10, 2, 23, 59, 59, 999));
  await scan(team.key, 1);
  clock.advance(1);
  await scan(device, 3);
  const due = {
    requests_used: 6,
    requests_limit: 100_000,
    overage: 0,
    reset_at: '2026-12-01T00:00:00.000Z',
    daily_usage: [
      { date: '2026-11-01', requests: 2 },
      { date: '2026-11-02', requests: 1 },
      { date: '2026-11-03', requests: 3 },
    ],
    total: 6,
    limit: 100_000,
    remaining: 99_994,
  };
  assert.deepEqual(await stats(account.key), due);
  assert.deepEqual(await stats(team.key), due, 'all organizations of the account together');

  const other = await stats(gateway.key);
  assert.equal(other['requests_used'], 0);
  assert.equal(other['limit'], null, 'a plan without a quota has no limit');
  assert.equal(other['remaining'], null);
  assert.equal(other['overage'], 0);

  for (const [monthly, remaining, overage] of [
    [7, 1, 0],
    [6, 0, 0],
    [4, 0, 2],
  ] as const) {
    await gateway.storage.subscriptions.set(account.accountId, { monthly });
    const past = await stats(await addKeyOf(gateway, account, account.accountId));
    assert.deepEqual([past['limit'], past['remaining'], past['overage']], [monthly, remaining, overage]);
  }

  clock.set(Date.UTC(2026, 11, 31, 12));
  const december = await stats(account.key);
  assert.equal(december['requests_used'], 0);
  assert.equal(december['reset_at'], '2027-01-01T00:00:00.000Z');
  assert.equal((december['daily_usage'] as unknown[]).length, 31, 'days without requests are listed too');
});
