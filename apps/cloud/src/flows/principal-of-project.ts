import type { Plans } from '@csg/shared/contract';
import { accountOf } from '../access/account-of.ts';
import type { Scanner } from '../detection-workers/scanner.ts';
import type { ProjectEndpoints, Storage } from '../storage/storage.ts';
import { type Principal, settingsOf } from './authenticate-key.ts';
import { rulesetInput } from './ruleset-input.ts';

export interface ProjectPrincipalDeps {
  readonly storage: Pick<Storage, 'organizations' | 'projects' | 'endpoints' | 'policies' | 'subscriptions'>;
  readonly scanner: Pick<Scanner, 'ruleset'>;
  readonly plans: Plans;
}

/**
 * Returns the principal for work outside a request: a project, acting as `actorId` (the id of a key, or a name for the
 * audit log). Without a project the defaults apply. Null if the organization or the project was deleted.
 */
export async function principalOfProject(
  deps: ProjectPrincipalDeps,
  organizationId: string,
  projectId: string | null,
  actorId: string,
): Promise<Principal | null> {
  const { storage } = deps;
  const [organization, project, policies, endpoints] = await Promise.all([
    storage.organizations.get(organizationId),
    projectId === null ? null : storage.projects.get(organizationId, projectId),
    storage.policies.listActive(organizationId, projectId),
    projectId === null ? NO_ENDPOINTS : storage.endpoints.ofProject(projectId),
  ]);
  if (organization === null || (projectId !== null && project === null)) return null;
  const subscription = await storage.subscriptions.get(organization.ownerId);
  return {
    keyId: actorId,
    actor: actorId,
    organizationId,
    projectId,
    userId: null,
    deviceId: null,
    permissions: [],
    limits: { allowedModels: [], dailyTokenLimit: null },
    failMode: project?.failMode ?? 'open',
    zeroRetention: project?.zeroRetention ?? false,
    ...settingsOf(project ?? { settings: {}, strictnessLevel: 'moderate', failMode: 'open' }),
    ...endpoints,
    ruleset: deps.scanner.ruleset(
      rulesetInput(project ?? { useCase: 'default', strictnessLevel: 'moderate' }, policies),
      organizationId,
    ),
    allowedAddresses: null,
    account: accountOf(planFields(organization.ownerId, subscription), deps.plans),
  };
}

const NO_ENDPOINTS: ProjectEndpoints = { webhooks: [], policyWebhook: null };

function planFields(
  accountId: string,
  subscription: Awaited<ReturnType<Storage['subscriptions']['get']>>,
): Parameters<typeof accountOf>[0] {
  return {
    accountId,
    plan: subscription?.plan ?? 'free',
    subscriptionStatus: subscription?.status ?? 'none',
    perMinute: subscription?.perMinute ?? null,
    monthly: subscription?.monthly ?? null,
    spendCapUsd: subscription?.spendCapUsd ?? null,
    onDemand: subscription?.onDemand ?? false,
  };
}
