import Type, { type Static } from 'typebox';

/** Both shapes of the specification in one object. Limits are null where the plan has none. */
export const usageStatsSchema = Type.Object({
  requests_used: Type.Integer(),
  requests_limit: Type.Union([Type.Integer(), Type.Null()]),
  overage: Type.Integer(),
  reset_at: Type.String({ format: 'date-time' }),
  daily_usage: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), requests: Type.Integer() })),
  total: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()]),
  remaining: Type.Union([Type.Integer(), Type.Null()]),
});
export type UsageStats = Static<typeof usageStatsSchema>;
