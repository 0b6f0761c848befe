import { choice } from './fields.ts';

/** The plans table. An operator overrides rows with GATEWAY_PLANS_FILE (JSON of the same shape). */
export const PLAN_NAMES = ['free', 'pro', 'scale', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];
export const planEnum = choice('Plan', PLAN_NAMES);

export interface Plan {
  readonly perMinute: number;
  /** null: no monthly quota. */
  readonly monthly: number | null;
  /** soft: requests are still accepted above the quota and are metered as overage. */
  readonly quota: 'hard' | 'soft';
  readonly overageUsdPer1000: number;
  /** Default spend cap in US dollars for overage; 0 stops at the quota. null: no cap. */
  readonly spendCapUsd: number | null;
  /** Across all organizations of the account. null: no limit. */
  readonly keys: number | null;
  readonly keysPerProject: number | null;
  readonly projects: number | null;
}

export type Plans = Readonly<Record<PlanName, Plan>>;

export const PLANS: Plans = {
  free: {
    perMinute: 60,
    monthly: 10_000,
    quota: 'hard',
    overageUsdPer1000: 0,
    spendCapUsd: null,
    keys: 1,
    keysPerProject: 1,
    projects: 1,
  },
  pro: {
    perMinute: 300,
    monthly: 100_000,
    quota: 'hard',
    overageUsdPer1000: 0,
    spendCapUsd: null,
    keys: null,
    keysPerProject: 10,
    projects: 10,
  },
  scale: {
    perMinute: 600,
    monthly: 1_000_000,
    quota: 'soft',
    overageUsdPer1000: 0.4,
    spendCapUsd: 500,
    keys: null,
    keysPerProject: null,
    projects: null,
  },
  enterprise: {
    perMinute: 1_000,
    monthly: null,
    quota: 'soft',
    overageUsdPer1000: 0,
    spendCapUsd: null,
    keys: null,
    keysPerProject: null,
    projects: null,
  },
};

/** `none`: no plan covers the account. Only `active` and `trialing` may call counted endpoints. */
export const SUBSCRIPTION_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'none'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const subscriptionStatusEnum = choice('SubscriptionStatus', SUBSCRIPTION_STATUSES);
