import { type ChangeSpending, CodedError, type Plans, type UsageOverview } from '@csg/shared/contract';
import { type Account, accountOf } from '../../access/account-of.ts';
import type { Admin } from '../../access/caller.ts';
import type { Storage } from '../../storage/storage.ts';
import { nextMonthMs } from '../admit-request.ts';
import { type ReadUsageDeps, readUsage } from '../read-usage.ts';

export interface UsageOverviewDeps extends ReadUsageDeps {
  readonly storage: ReadUsageDeps['storage'] & Pick<Storage, 'projects' | 'usageAlerts' | 'transaction'>;
  readonly plans: Plans;
  readonly forgetKeys: () => void;
}

/** Returns the account's usage of the month and its projection. */
export async function readUsageOverview(deps: UsageOverviewDeps, account: Account): Promise<UsageOverview> {
  const nowMs = deps.clock.now();
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const month = today.slice(0, 7);
  const stats = await readUsage(deps, { account });
  const { plan } = account;
  const [counted, sentAlerts, projects] = await Promise.all([
    deps.storage.usage.stats(account.id, { fromDay: `${month}-01`, toDay: today, month }),
    deps.storage.usageAlerts.listSent(account.id, month),
    deps.storage.projects.countForAccount(account.id),
  ]);
  const startMs = Date.parse(`${month}-01`);
  const passed = Math.max(nowMs - startMs, 1) / (nextMonthMs(nowMs) - startMs);
  const projected = Math.round(stats.requests_used / passed);
  const costOf = (requests: number) =>
    plan.monthly === null || plan.quota === 'hard' || !account.onDemand
      ? 0
      : cents((Math.max(0, requests - plan.monthly) / 1_000) * plan.overageUsdPer1000);
  return {
    ...stats,
    month,
    plan: account.planName,
    subscription_status: account.status,
    per_minute: plan.perMinute,
    quota: plan.quota,
    percentage: plan.monthly ? Math.round((stats.requests_used / plan.monthly) * 10_000) / 100 : null,
    device_requests: counted.monthDevice,
    daily_devices: counted.days.map(({ date, deviceRequests }) => ({ date, requests: deviceRequests })),
    projected_requests: projected,
    overage_usd: costOf(stats.requests_used),
    projected_overage_usd: Math.min(costOf(projected), plan.spendCapUsd ?? Number.POSITIVE_INFINITY),
    overage_usd_per_1000: plan.overageUsdPer1000,
    on_demand: account.onDemand,
    spend_cap_usd: plan.spendCapUsd,
    keys: plan.keys,
    keys_per_project: plan.keysPerProject,
    projects: plan.projects,
    projects_used: projects,
    alerts: [...sentAlerts],
  };
}

/** Sets whether requests above a soft quota are allowed, and up to how many dollars a month. */
export async function changeSpending(
  deps: UsageOverviewDeps,
  admin: Admin & { readonly account: Account },
  change: ChangeSpending,
): Promise<UsageOverview> {
  const { account, organizationId } = admin;
  if (account.plan.quota === 'hard' || account.plan.overageUsdPer1000 === 0) {
    throw new CodedError('feature_not_available', {
      message: `Pay-as-you-go requires the Scale plan. Your plan is ${account.planName}.`,
      fields: { feature: 'pay_as_you_go', current_plan: account.planName, required_plan: 'scale' },
    });
  }
  const changed = await deps.storage.transaction(async ({ subscriptions, audit }) => {
    const subscription = await subscriptions.set(account.id, {
      ...(change.on_demand === undefined ? {} : { onDemand: change.on_demand }),
      ...(change.spend_cap_usd === undefined ? {} : { spendCapUsd: change.spend_cap_usd }),
    });
    const data = { on_demand: subscription.onDemand, spend_cap_usd: subscription.spendCapUsd };
    await audit.append({
      organizationId,
      kind: 'spending_changed',
      actor: admin.id,
      subject: account.id,
      data,
    });
    return subscription;
  });
  deps.forgetKeys();
  const facts = { ...changed, subscriptionStatus: changed.status };
  return await readUsageOverview(deps, accountOf(facts, deps.plans));
}

function cents(dollars: number): number {
  return Math.round(dollars * 10_000) / 10_000;
}
