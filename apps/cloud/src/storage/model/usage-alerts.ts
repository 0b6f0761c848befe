import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';

/** What an account is told about its month: parts of its quota in percent, or that it went past it. */
const USAGE_ALERTS = ['80', '90', '100', 'overage'] as const;
export type UsageAlert = (typeof USAGE_ALERTS)[number];

/** An account's month so far, and its contract; null: the plan's own value stands. */
export interface AccountMonth {
  readonly accountId: string;
  readonly requests: number;
  readonly plan: PlanName;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
  /** What it was told already. */
  readonly sentAlerts: readonly UsageAlert[];
}

export interface UsageAlerts {
  /** Accounts with at least so many requests in a month (YYYY-MM), or with a quota of their own. */
  list(month: string, leastRequests: number): Promise<readonly AccountMonth[]>;
  listSent(accountId: string, month: string): Promise<readonly UsageAlert[]>;
  /** True for one caller over all instances: it is theirs to tell. */
  claim(accountId: string, month: string, alert: UsageAlert): Promise<boolean>;
}
