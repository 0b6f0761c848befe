import type { OverageData, Plans } from '@csg/shared/contract';
import { type Account, accountOf } from '../../access/account-of.ts';
import type { AccountMonth, Repositories, Storage, UsageAlert } from '../../storage/storage.ts';
import { newDelivery } from '../../webhooks/outbound/new-delivery.ts';
import { routeDeliveries } from '../../webhooks/outbound/route-deliveries.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';
import { usageAlertEmail } from './usage-alert-email.ts';

export interface UsageAlertDeps {
  readonly storage: Pick<Storage, 'usageAlerts' | 'transaction'>;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly links: Links;
}

const LEAST_PERCENT = 80;

type UsageEvent = 'usage.threshold' | 'usage.overage';

/**
 * Notifies accounts that crossed a threshold of their quota, once per threshold and month over all instances: by email
 * to the owner, and by webhook at 80 and 100 percent and above the quota. If two thresholds are crossed together,
 * endpoints are sent the higher one only. Returns how many accounts were notified.
 */
export async function sendUsageAlerts(deps: UsageAlertDeps): Promise<number> {
  const month = new Date(deps.clock.now()).toISOString().slice(0, 7);
  const quotas = Object.values(deps.plans).flatMap(({ monthly }) => monthly ?? []);
  const least = Math.min(...quotas, Number.MAX_SAFE_INTEGER);
  let count = 0;
  for (const facts of await deps.storage.usageAlerts.list(month, (least * LEAST_PERCENT) / 100)) {
    const account = accountOf(facts, deps.plans);
    const alerts = crossed(facts.requests, account);
    for (const alert of alerts) {
      if (facts.sentAlerts.includes(alert)) continue;
      if (await sendAlert(deps, account, facts, month, alert, eventOf(alert, alerts))) count += 1;
    }
  }
  return count;
}

function crossed(requests: number, { plan }: Account): UsageAlert[] {
  const { monthly } = plan;
  if (monthly === null || monthly <= 0) return [];
  const parts = (['80', '90', '100'] as const).filter((part) => requests * 100 >= monthly * Number(part));
  return plan.quota === 'soft' && requests > monthly ? [...parts, 'overage'] : parts;
}

/** Null: nothing is sent. A threshold crossed together with a higher one is covered by the event of the higher one. */
function eventOf(alert: UsageAlert, crossedNow: readonly UsageAlert[]): UsageEvent | null {
  if (alert === 'overage') return 'usage.overage';
  return alert === '100' || (alert === '80' && !crossedNow.includes('100')) ? 'usage.threshold' : null;
}

async function sendAlert(
  deps: UsageAlertDeps,
  account: Account,
  { requests }: AccountMonth,
  month: string,
  alert: UsageAlert,
  event: UsageEvent | null,
): Promise<boolean> {
  return await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.usageAlerts.claim(account.id, month, alert))) return false;
    const data = dataOf(requests, account);
    const organizations = await repositories.organizations.listOwned(account.id);
    if (event !== null)
      for (const { id } of organizations) await notify(repositories, id, event, data, deps.clock.now());
    const owner = await repositories.users.get(account.id);
    const first = organizations[0];
    if (owner !== null && first !== undefined) {
      const facts = { month, isHard: account.plan.quota === 'hard', planLink: deps.links.plan() };
      const text = usageAlertEmail(alert, data, facts);
      await repositories.emails.add({ organizationId: first.id, to: owner.email, ...text });
    }
    return true;
  });
}

function dataOf(requests: number, { plan, planName }: Account): OverageData {
  const limit = plan.monthly ?? 0;
  const overage = Math.max(0, requests - limit);
  return {
    current_usage: requests,
    monthly_limit: limit,
    percentage: Math.round((requests / limit) * 10_000) / 100,
    plan: planName,
    overage,
    amount_usd: Math.round((overage / 1_000) * plan.overageUsdPer1000 * 10_000) / 10_000,
  };
}

/** Notifies the webhooks of all projects. */
async function notify(
  { endpoints, deliveries }: Pick<Repositories, 'endpoints' | 'deliveries'>,
  organizationId: string,
  event: UsageEvent,
  data: OverageData,
  atMs: number,
): Promise<void> {
  const { overage: _overage, amount_usd: _amount, ...threshold } = data;
  const webhooks = await endpoints.list(organizationId, { kind: 'webhook' });
  const added = webhooks.flatMap((webhook) => {
    if (!webhook.isEnabled) return [];
    const about = { eventId: null, atMs, projectId: webhook.projectId ?? '' };
    const made =
      event === 'usage.overage'
        ? newDelivery({ ...about, event, data })
        : newDelivery({ ...about, event, data: threshold });
    return routeDeliveries([made], [webhook]);
  });
  await deliveries.enqueue(organizationId, added);
}
