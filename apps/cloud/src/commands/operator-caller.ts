import { PLANS } from '@csg/shared/contract';
import { type Account, accountOf } from '../access/account-of.ts';
import type { Admin, Caller } from '../access/caller.ts';
import type { Config } from '../config/parse-config.ts';
import { overridePlans } from '../config/plans.ts';
import { readJsonFile } from '../config/read-json-file.ts';
import type { FirstAccount } from '../flows/set-up-service.ts';
import type { Storage } from '../storage/storage.ts';

/** Returns the operator as caller, with the rights and the plan of the first account. */
export async function operatorCaller(
  storage: Storage,
  { organizationId, accountId }: FirstAccount,
  config: Config,
): Promise<Caller & Admin & { readonly account: Account }> {
  const { plansFile } = config;
  const plans =
    plansFile === undefined ? PLANS : overridePlans(readJsonFile('GATEWAY_PLANS_FILE', plansFile));
  const subscription = await storage.subscriptions.get(accountId);
  if (subscription === null) throw new Error('The first account has no plan. Set one: gateway plan set');
  return {
    ...{ organizationId, projectId: null, userId: accountId, deviceId: null, keyId: null, permissions: [] },
    account: accountOf({ ...subscription, subscriptionStatus: subscription.status }, plans),
    ...{ actor: 'operator', id: 'operator' },
  };
}
