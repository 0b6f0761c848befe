import {
  type ChangePolicyWebhook,
  POLICY_WEBHOOK_TIMEOUT_MS,
  type PolicyWebhookRecord,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { PolicyWebhook, Storage } from '../../storage/storage.ts';

export interface PolicyWebhookDeps {
  readonly storage: Pick<Storage, 'projects' | 'transaction'>;
  readonly targetRules: GuardRules;
  readonly forgetKeys: () => void;
}

const NONE = { url: null, isEnabled: false, failMode: 'open', timeoutMs: POLICY_WEBHOOK_TIMEOUT_MS } as const;

export async function readPolicyWebhook(
  deps: Pick<PolicyWebhookDeps, 'storage'>,
  admin: Admin,
  projectId: string,
): Promise<PolicyWebhookRecord> {
  return recordOf((await findProject(deps.storage, admin, projectId)).policyWebhook, []);
}

/** Changes a project's policy endpoint and its fail mode. Without a URL there is no endpoint. */
export async function changePolicyWebhook(
  deps: PolicyWebhookDeps,
  admin: Admin,
  projectId: string,
  change: ChangePolicyWebhook,
): Promise<PolicyWebhookRecord> {
  const before = (await findProject(deps.storage, admin, projectId)).policyWebhook ?? NONE;
  const url = change.url === undefined ? before.url : change.url.trim() || null;
  if (change.enabled === true && url === null) {
    const msg = 'Enter the URL of your policy endpoint before you enable it.';
    throw new ValidationError([{ loc: ['body', 'url'], msg, type: 'missing' }]);
  }
  const warnings = url === null ? [] : await checkTarget('url', url, deps.targetRules);
  const wanted: PolicyWebhook | null =
    url === null
      ? null
      : {
          url,
          isEnabled: change.enabled ?? before.isEnabled,
          failMode: change.fail_mode ?? before.failMode,
          timeoutMs: change.timeout_ms ?? before.timeoutMs,
        };
  const { organizationId } = admin;
  await deps.storage.transaction(async (repositories) => {
    await repositories.projects.update(organizationId, projectId, { policyWebhook: wanted });
    await repositories.audit.append({
      organizationId,
      kind: 'policy_webhook_changed',
      actor: admin.id,
      subject: projectId,
      data: {
        enabled: wanted?.isEnabled ?? false,
        fail_mode: wanted?.failMode ?? null,
        url_changed: url !== before.url,
      },
    });
  });
  deps.forgetKeys();
  return recordOf(wanted, warnings);
}

function recordOf(settings: PolicyWebhook | null, warnings: readonly string[]): PolicyWebhookRecord {
  const { url, isEnabled, failMode, timeoutMs } = settings ?? NONE;
  return { url, enabled: isEnabled, fail_mode: failMode, timeout_ms: timeoutMs, warnings: [...warnings] };
}
