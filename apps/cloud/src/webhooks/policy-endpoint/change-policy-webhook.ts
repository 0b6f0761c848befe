import {
  type ChangePolicyWebhook,
  ownEndpointId,
  POLICY_WEBHOOK_TIMEOUT_MS,
  type PolicyWebhookRecord,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { EndpointOf, Storage } from '../../storage/storage.ts';

export interface PolicyWebhookDeps {
  readonly storage: Pick<Storage, 'projects' | 'endpoints' | 'transaction'>;
  readonly targetRules: GuardRules;
  readonly forgetKeys: () => void;
}

const NONE = { url: null, isEnabled: false, failMode: 'open', timeoutMs: POLICY_WEBHOOK_TIMEOUT_MS } as const;

export async function readPolicyWebhook(
  deps: Pick<PolicyWebhookDeps, 'storage'>,
  admin: Admin,
  projectId: string,
): Promise<PolicyWebhookRecord> {
  await findProject(deps.storage, admin, projectId);
  return recordOf(await deps.storage.endpoints.own(admin.organizationId, 'policy', projectId), []);
}

/** Changes a project's policy endpoint and its fail mode. Without a URL there is no endpoint. */
export async function changePolicyWebhook(
  deps: PolicyWebhookDeps,
  admin: Admin,
  projectId: string,
  change: ChangePolicyWebhook,
): Promise<PolicyWebhookRecord> {
  const { organizationId } = admin;
  await findProject(deps.storage, admin, projectId);
  const before = (await deps.storage.endpoints.own(organizationId, 'policy', projectId)) ?? NONE;
  const url = change.url === undefined ? before.url : change.url.trim() || null;
  if (change.enabled === true && url === null) {
    const msg = 'Enter the URL of your policy endpoint before you enable it.';
    throw new ValidationError([{ loc: ['body', 'url'], msg, type: 'missing' }]);
  }
  const warnings = url === null ? [] : await checkTarget('url', url, deps.targetRules);
  const wanted = {
    ...{ url, isEnabled: change.enabled ?? before.isEnabled, events: null },
    ...{ failMode: change.fail_mode ?? before.failMode, timeoutMs: change.timeout_ms ?? before.timeoutMs },
  };
  const endpoint = await deps.storage.transaction(async (repositories) => {
    const { endpoints } = repositories;
    const put = url === null ? null : await endpoints.put(organizationId, 'policy', projectId, wanted);
    if (url === null) await endpoints.remove(organizationId, ownEndpointId('policy', projectId));
    await repositories.audit.append({
      organizationId,
      kind: 'policy_webhook_changed',
      actor: admin.id,
      subject: projectId,
      data: {
        enabled: put?.isEnabled ?? false,
        fail_mode: put?.failMode ?? null,
        url_changed: url !== before.url,
      },
    });
    return put;
  });
  deps.forgetKeys();
  return recordOf(endpoint, warnings);
}

function recordOf(settings: EndpointOf<'policy'> | null, warnings: readonly string[]): PolicyWebhookRecord {
  const { url, isEnabled, failMode, timeoutMs } = settings ?? NONE;
  return { url, enabled: isEnabled, fail_mode: failMode, timeout_ms: timeoutMs, warnings: [...warnings] };
}
