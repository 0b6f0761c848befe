import type { Recorder } from '../batch/recorder.ts';
import type { Usage } from '../model/usage.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createUsage({ db }: RepositoryDeps, recorder: Recorder): Usage {
  const counter = async (accountId: string, period: string) =>
    await db
      .selectFrom('usage_counters')
      .select(['requests', 'device_requests'])
      .where('account_id', '=', accountId)
      .where('period', '=', period)
      .executeTakeFirst();

  return {
    admit: recorder.admit,
    async stats(accountId, { fromDay, toDay, month }) {
      // Months (YYYY-MM) sort before their days (YYYY-MM-DD): a month in the range is told by its length.
      const rows = await db
        .selectFrom('usage_counters')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('period', '>=', fromDay)
        .where('period', '<=', toDay)
        .orderBy('period')
        .execute();
      const total = await counter(accountId, month);
      return {
        month: total?.requests ?? 0,
        monthDevice: total?.device_requests ?? 0,
        days: rows
          .filter((row) => row.period.length === 10 && row.requests > 0)
          .map((row) => ({ date: row.period, requests: row.requests, deviceRequests: row.device_requests })),
      };
    },
    async monthTotal(accountId, month) {
      return (await counter(accountId, month))?.requests ?? 0;
    },
  };
}
