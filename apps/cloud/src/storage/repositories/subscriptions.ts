import { type Subscriptions, subscriptionTable } from '../model/accounts.ts';
import { toFlag } from '../stored-values.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';

export function createSubscriptions({ db, now }: RepositoryDeps): Subscriptions {
  return {
    async get(accountId) {
      const row = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return subscriptionTable.readOrNull(row);
    },
    async set(accountId, change) {
      const columns = omitUndefined({
        plan: change.plan,
        status: change.status,
        per_minute: change.perMinute,
        monthly: change.monthly,
        spend_cap_usd: change.spendCapUsd,
        on_demand: change.onDemand === undefined ? undefined : toFlag(change.onDemand),
        updated_at_ms: now(),
      });
      const row = await db
        .insertInto('subscriptions')
        .values({
          account_id: accountId,
          plan: 'free',
          status: 'active',
          on_demand: 1,
          updated_at_ms: now(),
          per_minute: null,
          monthly: null,
          spend_cap_usd: null,
          ...columns,
        })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
        .returningAll()
        .executeTakeFirstOrThrow();
      return subscriptionTable.read(row);
    },
  };
}
