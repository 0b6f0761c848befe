import { isAttack, type ThreatType } from '../vocabulary/index.ts';

/** The policy and threat that an exception covers; nothing else may change because of it. */
export interface ExceptionScope {
  readonly policyId: string | null;
  /** null: findings of attacks, or all of them. */
  readonly threat: string | null;
  /** Also personal data, secrets and customers' own patterns. Not set by versions that knew no other scope. */
  readonly allFindings?: boolean;
}

/** Returns whether an exception covers findings of this type, regardless of the policy. */
export function coversThreat(
  { threat, allFindings = true }: Pick<ExceptionScope, 'threat' | 'allFindings'>,
  type: string,
): boolean {
  return threat === null ? allFindings || isAttack(type) : threat === type;
}

export interface NamedPolicy {
  readonly id: string;
  readonly threatTypes: readonly ThreatType[];
  /** True if it only describes the preset: policies that name the same type override it. */
  readonly fromPreset: boolean;
}

/**
 * Returns the threat types whose decision an exception covers. A type is decided by the first policy that names it,
 * highest priority first. A policy that decides nothing, or no longer exists, leaves nothing to except.
 */
export function exceptedTypes(
  scope: ExceptionScope,
  policies: readonly NamedPolicy[],
  all: readonly ThreatType[],
): readonly ThreatType[] {
  const named = all.filter((type) => coversThreat(scope, type));
  if (scope.policyId === null) return named;
  return named.filter((type) => {
    const own = policies.find((policy) => !policy.fromPreset && policy.threatTypes.includes(type));
    const deciding = own ?? policies.find((policy) => policy.fromPreset && policy.threatTypes.includes(type));
    return deciding?.id === scope.policyId;
  });
}

/** Normalizes a host for comparison: lower case, without port and final dot. */
export function hostName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
}
