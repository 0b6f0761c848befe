import Type, { type Static } from 'typebox';
import { nullable, shape, timestampOf } from './fields.ts';
import { planEnum, subscriptionStatusEnum } from './plans.ts';

/** Both shapes of the specification in one object. Limits are null if the plan has none. */
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

/** The account's month for people: with plan, daily usage and projection. */
export const usageOverviewSchema = shape('UsageOverview', {
  ...usageStatsSchema.properties,
  month: Type.String({ description: 'YYYY-MM, UTC.' }),
  plan: planEnum,
  subscription_status: subscriptionStatusEnum,
  per_minute: Type.Integer(),
  quota: Type.Enum(['hard', 'soft']),
  percentage: nullable(Type.Number()),
  device_requests: Type.Integer({
    description: 'Scans of enrolled devices among the requests; counted, but never rejected.',
  }),
  daily_devices: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), requests: Type.Integer() })),
  projected_requests: Type.Integer({
    description: 'Requests by the end of the month, projected from the days so far.',
  }),
  overage_usd: Type.Number(),
  projected_overage_usd: Type.Number(),
  overage_usd_per_1000: Type.Number(),
  on_demand: Type.Boolean({
    description: 'True if requests beyond the monthly quota are allowed and billed.',
  }),
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
      description:
        'Maximum overage cost per month; further requests are rejected. 0: no requests beyond the quota.',
    }),
  ),
});
export type ChangeSpending = Static<typeof changeSpendingSchema>;

export const USAGE_GROUPS = [
  'day',
  'project',
  'key',
  'model',
  'device',
  'person',
  'session',
  'tag',
  'host',
] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const perRow = {
  requests: Type.Integer({ description: 'Requests that were evaluated.' }),
  blocked: Type.Integer({ description: 'Decisions to block, on requests and responses.' }),
  redacted: Type.Integer({ description: 'Decisions to redact, on requests and responses.' }),
  rejected: Type.Integer({ description: 'Rejected by a limit or a missing scope, before evaluation.' }),
  provider_calls: Type.Integer(),
  provider_errors: Type.Integer({ description: 'Calls that failed or that the provider rejected.' }),
  input_tokens: Type.Integer({ description: 'Input tokens, as providers report them.' }),
  output_tokens: Type.Integer(),
  without_usage: Type.Integer({ description: 'Responses whose provider reported no tokens.' }),
  cost_usd: nullable(Type.Number(), {
    description: 'Calculated with the prices of the organization. Null: no model in this row has a price.',
  }),
  unpriced_tokens: Type.Integer({ description: 'Tokens of models without a price.' }),
  scan_ms: nullable(Type.Number(), { description: 'Mean duration of a scan. Null: no scan.' }),
  provider_ms: nullable(Type.Number(), {
    description: 'Mean wait for a provider. Null: no provider was called.',
  }),
};

export const usageReportSchema = shape('UsageReport', {
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date', description: 'Last day, inclusive. Days are in UTC.' }),
  by: Type.Enum([...USAGE_GROUPS]),
  total: shape('UsageReportTotal', perRow),
  rows: Type.Array(
    shape('UsageReportRow', {
      id: nullable(Type.String(), { description: 'Null: no id, for example requests without a model.' }),
      name: Type.String(),
      ...perRow,
    }),
    { description: 'Most requests first; by day: oldest first.' },
  ),
});
export type UsageReport = Static<typeof usageReportSchema>;

export const modelPriceSchema = shape('ModelPrice', {
  model: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'A model, or a pattern with `*`; the first matching entry applies.',
  }),
  input_usd: Type.Number({ minimum: 0, maximum: 100_000, description: 'Price per million input tokens.' }),
  output_usd: Type.Number({ minimum: 0, maximum: 100_000, description: 'Price per million output tokens.' }),
});
export type ModelPrice = Static<typeof modelPriceSchema>;

export const modelPricesSchema = shape('ModelPrices', {
  prices: Type.Array(modelPriceSchema, { maxItems: 500 }),
});
export type ModelPrices = Static<typeof modelPricesSchema>;
