import type { UsageAlert, UsageAlerts } from '../model/usage-alerts.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createUsageAlerts({ db, now }: RepositoryDeps): UsageAlerts {
  async function sentByAccount(
    month: string,
    accountIds: readonly string[],
  ): Promise<Map<string, UsageAlert[]>> {
    const rows = await inSteps(accountIds, (step) =>
      db
        .selectFrom('usage_alerts')
        .select(['account_id', 'alert'])
        .where('month', '=', month)
        .where('account_id', 'in', step)
        .execute(),
    );
    const byAccount = new Map<string, UsageAlert[]>();
    for (const { account_id, alert } of rows) {
      byAccount.set(account_id, [...(byAccount.get(account_id) ?? []), alert]);
    }
    return byAccount;
  }

  return {
    async list(month, leastRequests) {
      const rows = await db
        .selectFrom('usage_counters as u')
        .leftJoin('subscriptions as s', 's.account_id', 'u.account_id')
        .select(['u.account_id', 'u.requests', 's.plan', 's.status', 's.per_minute', 's.monthly'])
        .select(['s.spend_cap_usd', 's.on_demand'])
        .where('u.period', '=', month)
        .where((q) => q.or([q('u.requests', '>=', leastRequests), q('s.monthly', 'is not', null)]))
        .orderBy('u.account_id')
        .execute();
      const known = await sentByAccount(
        month,
        rows.map((row) => row.account_id),
      );
      return rows.map((row) => ({
        accountId: row.account_id,
        requests: row.requests,
        plan: row.plan ?? 'free',
        subscriptionStatus: row.status ?? 'none',
        perMinute: row.per_minute,
        monthly: row.monthly,
        spendCapUsd: row.spend_cap_usd,
        onDemand: row.on_demand !== 0,
        sentAlerts: known.get(row.account_id) ?? [],
      }));
    },
    async listSent(accountId, month) {
      return (await sentByAccount(month, [accountId])).get(accountId) ?? [];
    },
    async claim(accountId, month, alert) {
      const inserted = await db
        .insertInto('usage_alerts')
        .values({ account_id: accountId, month, alert, at_ms: now() })
        .onConflict((conflict) => conflict.columns(['account_id', 'month', 'alert']).doNothing())
        .returning('alert')
        .executeTakeFirst();
      return inserted !== undefined;
    },
  };
}
