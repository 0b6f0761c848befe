import { CodedError, type ErrorCode } from '@csg/shared/contract';
import type { Account } from '../access/account-of.ts';
import type { DecisionRecord, Storage } from '../storage/storage.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';
import type { Links } from './links.ts';

export interface AdmitDeps {
  readonly storage: Pick<Storage, 'usage'>;
  readonly clock: Clock;
  readonly links: Links;
}

/** An admitted request that is still to be counted, in one transaction with its first decision. */
export type UncountedRequest = NonNullable<DecisionRecord['usage']>;

/**
 * Admits one request of a metered endpoint, or rejects it if the subscription is inactive or the monthly quota is used
 * up. Under a limit it is counted here; otherwise the returned record has to be counted with its first decision, so
 * that a request that cannot be recorded is not counted either. Devices are counted but never rejected.
 */
export async function admitRequest(
  deps: AdmitDeps,
  principal: Principal,
  quotaCode: 'quota_exceeded' | 'monthly_quota_exceeded',
): Promise<UncountedRequest | null> {
  const { account } = principal;
  const device = principal.deviceId !== null;
  if (!device && account.status !== 'active' && account.status !== 'trialing') {
    throw new CodedError('subscription_inactive', {
      fields: { reactivate_url: deps.links.plan(), subscription_status: account.status },
    });
  }
  const { limit, bySpend } = monthlyCeiling(account);
  if (device || limit === null) return { accountId: account.id, device };
  const nowMs = deps.clock.now();
  const counted = await deps.storage.usage.admit({ accountId: account.id, limit, device, nowMs });
  if (!counted.admitted) throw quotaError(deps.links, account, bySpend, counted.used, nowMs, quotaCode);
  return null;
}

/** Requests allowed per month: the quota, or with pay-as-you-go the quota plus what the spend cap pays for. */
function monthlyCeiling(account: Account): { limit: number | null; bySpend: boolean } {
  const { monthly, quota, overageUsdPer1000, spendCapUsd } = account.plan;
  if (monthly === null) return { limit: null, bySpend: false };
  if (quota === 'hard' || !account.onDemand || spendCapUsd === 0) return { limit: monthly, bySpend: false };
  if (spendCapUsd === null || overageUsdPer1000 === 0) return { limit: null, bySpend: false };
  return { limit: monthly + Math.floor((spendCapUsd * 1000) / overageUsdPer1000 + 1e-6), bySpend: true };
}

/** Start of the next UTC month, in Unix milliseconds. */
export function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

function quotaError(
  links: Links,
  account: Account,
  bySpend: boolean,
  used: number | null,
  nowMs: number,
  quotaCode: 'quota_exceeded' | 'monthly_quota_exceeded',
): CodedError {
  const code: ErrorCode = bySpend ? 'spending_limit_exceeded' : quotaCode;
  const retryAfter = Math.max(1, Math.ceil((nextMonthMs(nowMs) - nowMs) / 1000));
  return new CodedError(code, {
    fields: {
      current_plan: account.planName,
      requests_used: used,
      requests_limit: account.plan.monthly,
      upgrade_url: links.plan(),
      retry_after: retryAfter,
      ...(account.plan.overageUsdPer1000 > 0 ? { on_demand_url: links.onDemand() } : {}),
    },
    ...(code === 'quota_exceeded' ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  });
}
