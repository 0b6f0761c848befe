import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';
import type { Selectable } from 'kysely';
import type { Subscription, Subscriptions } from '../model/accounts.ts';
import type { Database } from '../schema.ts';
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
      return row === undefined ? null : toSubscription(row);
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
      return toSubscription(row);
    },
  };
}

function toSubscription(row: Selectable<Database['subscriptions']>): Subscription {
  return {
    accountId: row.account_id,
    plan: row.plan as PlanName,
    status: row.status as SubscriptionStatus,
    perMinute: row.per_minute,
    monthly: row.monthly,
    spendCapUsd: row.spend_cap_usd,
    onDemand: row.on_demand === 1,
  };
}
