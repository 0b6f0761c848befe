import Type, { type Static } from 'typebox';
import { nullable, shape, timestampOf } from './fields.ts';
import { planEnum, subscriptionStatusEnum } from './plans.ts';

/** Both shapes of the specification in one object. Limits are null where the plan has none. */
export const usageStatsSchema = shape('UsageStats', {
  requests_used: Type.Integer({ description: 'Requests this month.' }),
  requests_limit: nullable(Type.Integer(), { description: 'Quota of the month; null: none.' }),
  overage: Type.Integer({ description: 'Requests above the quota.' }),
  reset_at: timestampOf('When the month ends.'),
  daily_usage: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), requests: Type.Integer() }), {
    description: 'Every day of the month so far, in UTC.',
  }),
  total: Type.Integer({ description: 'Requests this month.' }),
  limit: nullable(Type.Integer(), { description: 'Quota of the month; null: none.' }),
  remaining: nullable(Type.Integer(), { description: 'Requests left this month; null: no quota.' }),
});
export type UsageStats = Static<typeof usageStatsSchema>;

const limit = nullable(Type.Integer());
const dollars = nullable(Type.Number());

/** The account's month for people: with its contract, its days and where it leads. */
export const usageOverviewSchema = shape('UsageOverview', {
  ...usageStatsSchema.properties,
  month: Type.String({ description: 'YYYY-MM, UTC.' }),
  plan: planEnum,
  subscription_status: subscriptionStatusEnum,
  per_minute: Type.Integer(),
  quota: Type.Enum(['hard', 'soft']),
  percentage: nullable(Type.Number()),
  device_requests: Type.Integer({
    description: 'Of them, scans of enrolled devices: counted, never refused.',
  }),
  daily_devices: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), requests: Type.Integer() })),
  projected_requests: Type.Integer({
    description: 'Projected for the end of the month from the days so far.',
  }),
  overage_usd: Type.Number(),
  projected_overage_usd: Type.Number(),
  overage_usd_per_1000: Type.Number(),
  on_demand: Type.Boolean({ description: 'Whether requests past the quota are wanted and paid for.' }),
  spend_cap_usd: dollars,
  keys: limit,
  keys_per_project: limit,
  projects: limit,
  projects_used: Type.Integer(),
  alerts: Type.Array(Type.Enum(['80', '90', '100', 'overage']), { description: 'Alerts sent this month.' }),
});
export type UsageOverview = Static<typeof usageOverviewSchema>;

export const changeSpendingSchema = shape('ChangeSpendingRequest', {
  on_demand: Type.Optional(Type.Boolean()),
  spend_cap_usd: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Past it requests are refused; 0 stops at the quota.',
    }),
  ),
});
export type ChangeSpending = Static<typeof changeSpendingSchema>;
