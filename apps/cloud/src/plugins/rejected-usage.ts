import { CodedError, type ErrorCode } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { UsageMeter } from '../flows/usage-report/usage-meter.ts';

const REJECTIONS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['insufficient_scope', 'model_not_allowed', 'rate_limit_exceeded'] as const),
  ...(['quota_exceeded', 'monthly_quota_exceeded', 'spending_limit_exceeded'] as const),
  ...(['subscription_inactive', 'token_budget_exceeded'] as const),
]);

/** Counts requests rejected by a limit or a missing scope, for the owner's usage report. */
export function registerRejectedUsage(app: FastifyInstance, meter: Pick<UsageMeter, 'rejected'>): void {
  app.addHook('onError', async ({ principal }, _reply, error) => {
    if (principal != null && error instanceof CodedError && REJECTIONS.has((error as CodedError).code))
      meter.rejected(principal);
  });
}
