import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';

/** Alerts about an account's month: percentages of its quota, or overage. */
const USAGE_ALERTS = ['80', '90', '100', 'overage'] as const;
export type UsageAlert = (typeof USAGE_ALERTS)[number];

/** An account's usage in the current month, and its contract; null: the value of the plan applies. */
export interface AccountMonth {
  readonly accountId: string;
  readonly requests: number;
  readonly plan: PlanName;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
  /** Alerts already sent. */
  readonly sentAlerts: readonly UsageAlert[];
}

export interface UsageAlerts {
  /** Accounts with at least `leastRequests` requests in a month (YYYY-MM), or with a quota of their own. */
  list(month: string, leastRequests: number): Promise<readonly AccountMonth[]>;
  listSent(accountId: string, month: string): Promise<readonly UsageAlert[]>;
  /** Returns true to one caller over all instances, which then sends the alert. */
  claim(accountId: string, month: string, alert: UsageAlert): Promise<boolean>;
}
