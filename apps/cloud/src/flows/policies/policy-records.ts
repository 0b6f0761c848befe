import { type PolicyDetail, type PolicyRecord, policySchema } from '@csg/shared/contract';
import { describeFlowRule } from '@csg/shared/flow-control';
import type { Policy } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';

const shownPolicy = wireOf(policySchema, 'action', 'scope');

/** The policy as shown to callers with a key. */
export function policyRecord(policy: Policy): PolicyRecord {
  return {
    ...shownPolicy(policy),
    // A policy in monitor mode has no other effect.
    action: policy.rules.mode === 'monitor' ? 'monitor' : policy.action,
    scope: policy.projectId === null ? 'account' : 'project',
  };
}

/** The policy as shown to admins. */
export function policyDetail(policy: Policy): PolicyDetail {
  return {
    ...policyRecord(policy),
    action: policy.action,
    mode: 'enforce',
    ...policy.rules,
    flow_texts: flowTexts(policy),
    project_id: policy.projectId,
    is_active: policy.isActive,
    from_preset: policy.fromPreset,
    version: policy.version,
    created_at: isoTime(policy.createdAtMs),
    updated_at: isoTime(policy.updatedAtMs),
  };
}

/** Describes each rule about tool calls in a sentence. */
export function flowTexts({
  action,
  rules: { flows = [], mode },
}: Pick<Policy, 'action' | 'rules'>): string[] {
  return flows.map((rule) => describeFlowRule(rule, action, mode === 'monitor'));
}
