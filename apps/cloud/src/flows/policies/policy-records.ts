import type { PolicyDetail, PolicyRecord } from '@csg/shared/contract';
import type { Policy } from '../../storage/storage.ts';

/** As callers with a key see it. */
export function policyRecord(policy: Policy): PolicyRecord {
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    // One that only watches does nothing else.
    action: policy.rules.mode === 'monitor' ? 'monitor' : policy.action,
    threat_types: [...policy.threatTypes],
    priority: policy.priority,
    scope: policy.projectId === null ? 'account' : 'project',
  };
}

/** As admins see it. */
export function policyDetail(policy: Policy): PolicyDetail {
  return {
    ...policyRecord(policy),
    action: policy.action,
    mode: 'enforce',
    ...policy.rules,
    project_id: policy.projectId,
    is_active: policy.isActive,
    from_preset: policy.fromPreset,
    version: policy.version,
    created_at: new Date(policy.createdAtMs).toISOString(),
    updated_at: new Date(policy.updatedAtMs).toISOString(),
  };
}
