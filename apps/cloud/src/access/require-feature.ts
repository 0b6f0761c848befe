import { CodedError } from '@csg/shared/contract';
import type { Account } from './account-of.ts';

const FEATURES = {
  webhook_signing: 'Signed webhooks',
  ip_allow_list: 'IP allow-lists',
} as const;

/** Requires the Enterprise plan for a feature. */
export function requireFeature(account: Pick<Account, 'planName'>, feature: keyof typeof FEATURES): void {
  if (hasFeature(account)) return;
  throw new CodedError('feature_not_available', {
    message: `${FEATURES[feature]} require the Enterprise plan. Your plan is ${account.planName}.`,
    fields: { feature, current_plan: account.planName, required_plan: 'enterprise' },
  });
}

export function hasFeature(account: Pick<Account, 'planName'>): boolean {
  return account.planName === 'enterprise';
}
