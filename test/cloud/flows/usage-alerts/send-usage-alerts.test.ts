import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlanName } from '@csg/shared/contract';
import { addAccount, type TestAccount } from '../../../support/accounts.ts';
import { createManualClock, type ManualClock } from '../../../support/clock.ts';
import { createTestDatabase, noPostgres } from '../../../support/databases.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { until } from '../../../support/until.ts';

interface SentAlerts {
  readonly events: readonly { event: string; data: Record<string, unknown> }[];
  readonly mails: readonly { subject: string; to: string }[];
}

for (const [name, skip] of [
  ['SQLite', false],
  ['PostgreSQL', noPostgres],
] as const) {
  describe(`usage alerts are sent once for each threshold and month, by two instances on ${name}`, {
    skip,
  }, () => {
    async function withGateways(
      work: (gateways: TestGateway[], clock: ManualClock) => Promise<void>,
    ): Promise<void> {
      const database = name === 'SQLite' ? null : await createTestDatabase();
      const clock = createManualClock();
      const first = await startGateway({
        clock,
        env: {
          GATEWAY_MASTER_KEY: '5a'.repeat(32),
          ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
        },
      });
      const second = await startGateway({
        clock,
        dataDir: first.dataDir,
        env: {
          GATEWAY_MASTER_KEY: '5a'.repeat(32),
          ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
        },
      });
      try {
        await work([first, second], clock);
      } finally {
        await second.close();
        await first.close();
        await database?.drop();
      }
    }

    async function account(gateway: TestGateway, plan: PlanName, monthly: number): Promise<TestAccount> {
      const made = await addAccount(gateway, { plan, monthly, perMinute: 10_000 });
      await gateway.storage.endpoints.put(made.organizationId, 'webhook', made.projectId, {
        url: 'https://hooks.example.com/',
        isEnabled: true,
      });
      return made;
    }

    async function spend(gateways: readonly TestGateway[], key: string, count: number): Promise<void> {
      for (let n = 0; n < count; n++) {
        const gateway = gateways[n % gateways.length]!;
        const answer = await gateway.call('POST', '/api/v1/security/scan', {
          key,
          body: { content: 'hello there' },
        });
        assert.equal(answer.status, 200, await answer.text());
      }
    }

    async function sentAlerts(
      { storage }: TestGateway,
      { organizationId }: TestAccount,
    ): Promise<SentAlerts> {
      // Both are written together: a reader who sees the email sees the delivery, if that is read later.
      const mails = await storage.emails.list({ organizationId, withAccounts: false }, { limit: 50 });
      const deliveries = await storage.deliveries.list(organizationId, { limit: 200 });
      const events = deliveries.map(({ payload }) => JSON.parse(payload)).reverse();
      return { events, mails: mails.map(({ subject, to }) => ({ subject, to })).reverse() };
    }

    test('a hard quota sends 80 and 100 percent by webhook, and 90 by email as well', () =>
      withGateways(async (gateways, clock) => {
        const [gateway] = gateways as [TestGateway];
        const pro = await account(gateway, 'pro', 10);
        await spend(gateways, pro.key, 7);
        await spend(gateways, pro.key, 1);
        const eighty = await until(
          () => sentAlerts(gateway, pro),
          ({ mails }) => mails.length > 0,
        );
        assert.deepEqual(eighty.events, [
          {
            event: 'usage.threshold',
            timestamp: new Date(clock.now()).toISOString(),
            project_id: pro.projectId,
            data: { current_usage: 8, monthly_limit: 10, percentage: 80, plan: 'pro' },
          },
        ]);
        assert.deepEqual(
          eighty.mails.map(({ subject }) => subject),
          ["80% of this month's quota of 10 requests is used"],
        );
        await spend(gateways, pro.key, 2);
        const all = await until(
          () => sentAlerts(gateway, pro),
          ({ mails }) => mails.length >= 3,
        );
        assert.deepEqual(all.events.map(({ data }) => data['percentage']).sort(), [100, 80]);
        assert.deepEqual(all.mails.map(({ subject }) => subject.slice(0, 4)).sort(), [
          '100%',
          '80% ',
          '90% ',
        ]);
        const owner = await gateway.storage.users.get(pro.accountId);
        assert.ok(all.mails.every(({ to }) => to === owner?.email));

        // The next month starts at zero.
        clock.set(Date.UTC(2026, 11, 1, 0, 0, 1));
        await spend(gateways, pro.key, 8);
        const next = await until(
          () => sentAlerts(gateway, pro),
          ({ mails }) => mails.length >= 4,
        );
        assert.deepEqual([next.events.length, next.mails.length], [3, 4]);
      }));

    test('"of two usage thresholds crossed together only the higher is sent"; emails name each part', () =>
      withGateways(async (gateways, clock) => {
        const [gateway] = gateways as [TestGateway];
        const pro = await account(gateway, 'pro', 4);
        const scale = await account(gateway, 'scale', 4);
        // Counted in one transaction, so that no poll falls between two requests.
        for (const [{ accountId }, requests] of [
          [pro, 4],
          [scale, 6],
        ] as const) {
          const admission = { accountId, limit: null, device: false, nowMs: clock.now() };
          await Promise.all(Array.from({ length: requests }, () => gateway.storage.usage.admit(admission)));
        }
        const hard = await until(
          () => sentAlerts(gateway, pro),
          ({ mails }) => mails.length === 3,
        );
        assert.deepEqual(
          hard.events.map(({ event, data }) => [event, data['percentage']]),
          [['usage.threshold', 100]],
        );
        const soft = await until(
          () => sentAlerts(gateway, scale),
          ({ mails }) => mails.length === 4,
        );
        assert.deepEqual(soft.events.map(({ event, data }) => [event, data['percentage']]).sort(), [
          ['usage.overage', 150],
          ['usage.threshold', 150],
        ]);
      }));

    test('a soft quota allows requests past it, and reports the overage with its price', () =>
      withGateways(async (gateways) => {
        const [gateway] = gateways as [TestGateway];
        const scale = await account(gateway, 'scale', 5);
        const quiet = await account(gateway, 'enterprise', 1_000);
        await spend(gateways, quiet.key, 3);
        await spend(gateways, scale.key, 5);
        await until(
          () => sentAlerts(gateway, scale),
          ({ mails }) => mails.length === 3,
        );
        await spend(gateways, scale.key, 2);
        const { events, mails } = await until(
          () => sentAlerts(gateway, scale),
          ({ mails }) => mails.length === 4,
        );
        const overage = events.find(({ event }) => event === 'usage.overage');
        const { current_usage, overage: past, amount_usd, ...rest } = overage?.data ?? {};
        assert.ok(past === 1 || past === 2, 'it is reported when it is first noticed');
        assert.equal(current_usage, 5 + Number(past));
        assert.equal(amount_usd, Number(past) * 0.0004);
        assert.deepEqual(rest, { monthly_limit: 5, percentage: past === 1 ? 120 : 140, plan: 'scale' });
        assert.equal(
          mails.filter(({ subject }) => subject === "You have exceeded this month's quota of 5 requests")
            .length,
          1,
        );
        assert.deepEqual(await sentAlerts(gateway, quiet), { events: [], mails: [] });
      }));
  });
}
