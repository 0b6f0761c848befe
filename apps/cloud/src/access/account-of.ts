import type { Plan, PlanName, Plans, SubscriptionStatus } from '@csg/shared/contract';

/** The owning user of the organization, whose plan and limits count. */
export interface Account {
  readonly id: string;
  readonly planName: PlanName;
  /** With the account's own contract laid over it. */
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** Whether requests past a soft quota are wanted and paid for; always true where the plan sells none. */
  readonly onDemand: boolean;
}

/** What storage knows of an account and its contract; null: the plan's own value stands. */
export interface AccountFacts {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
}

export function accountOf(facts: AccountFacts, plans: Plans): Account {
  const plan = plans[facts.plan];
  return {
    id: facts.accountId,
    planName: facts.plan,
    plan: {
      ...plan,
      perMinute: facts.perMinute ?? plan.perMinute,
      monthly: facts.monthly ?? plan.monthly,
      spendCapUsd: facts.spendCapUsd ?? plan.spendCapUsd,
    },
    status: facts.subscriptionStatus,
    onDemand: facts.onDemand || facts.plan === 'enterprise' || plan.overageUsdPer1000 === 0,
  };
}
