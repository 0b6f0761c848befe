import type { Plan, PlanName, Plans, SubscriptionStatus } from '@csg/shared/contract';

/** The user who owns the organization, with the plan and limits that apply. */
export interface Account {
  readonly id: string;
  readonly planName: PlanName;
  /** The plan with the overrides of the account's contract. */
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** True if requests above a soft quota are allowed and paid for; always true if the plan sells none. */
  readonly onDemand: boolean;
}

/** Stored facts about an account and its contract; null: the plan's value applies. */
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
