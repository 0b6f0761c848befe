import { type CreatePolicy, type PolicyRules, ValidationError } from '@csg/shared/contract';
import type { Policy, PolicyInput } from '../../storage/storage.ts';

/** Preset rules have priorities up to 100; custom policies start above them, because they override them. */
export const FIRST_PRIORITY = 1_000;

/** Converts the form's input to the form that storage and engine use. Empty fields are left out. */
export function inputOf(input: CreatePolicy): PolicyInput {
  const { mode, conditions, patterns, blocked_domains, allowed_domains, allowed_values, flows } = input;
  const rules: PolicyRules = {
    ...(mode === undefined || mode === 'enforce' ? {} : { mode }),
    ...(conditions === undefined || Object.keys(conditions).length === 0 ? {} : { conditions }),
    ...(patterns?.length ? { patterns: patterns.map(({ name, pattern }) => ({ name, pattern })) } : {}),
    ...(blocked_domains?.length ? { blocked_domains } : {}),
    ...(allowed_domains?.length ? { allowed_domains } : {}),
    ...(allowed_values?.length
      ? { allowed_values: [...new Set(allowed_values.map((value) => value.trim()))] }
      : {}),
    ...(flows?.length ? { flows } : {}),
  };
  return {
    name: input.name.trim(),
    description: input.description?.trim() || null,
    action: input.action,
    threatTypes: [...new Set(input.threat_types ?? [])],
    isActive: input.is_active ?? true,
    priority: FIRST_PRIORITY,
    rules,
  };
}

export function policyToInput(policy: Policy): CreatePolicy {
  return {
    name: policy.name,
    description: policy.description,
    action: policy.action,
    threat_types: [...policy.threatTypes],
    is_active: policy.isActive,
    ...policy.rules,
  };
}

export function unknownProject(): ValidationError {
  const msg = 'No such project.';
  return new ValidationError([{ loc: ['body', 'project_id'], msg, type: 'unknown' }]);
}
