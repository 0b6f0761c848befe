import { type AuditTarget, ownEndpointId } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { Storage } from '../../storage/storage.ts';

/** Sets where the organization's checkpoints are sent besides the file: a place that this service cannot change. */
export async function changeAuditTarget(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly targetRules: GuardRules },
  admin: Admin,
  text: string,
): Promise<AuditTarget> {
  const { organizationId } = admin;
  const url = text.trim() || null;
  const warnings = url === null ? [] : await checkTarget('url', url, deps.targetRules);
  await deps.storage.transaction(async ({ endpoints, audit }) => {
    if (url === null) await endpoints.remove(organizationId, ownEndpointId('audit', organizationId));
    else await endpoints.put(organizationId, 'audit', null, { url, isEnabled: true });
    const data = { has_target: url !== null };
    await audit.append({
      organizationId,
      kind: 'audit_target_changed',
      actor: admin.id,
      subject: organizationId,
      data,
    });
  });
  return { url, warnings: [...warnings] };
}
