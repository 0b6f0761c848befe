import type { ThreatType } from '../contract/index.ts';

/** What an exception names, worked out: nothing else may change for it. */
export interface ExceptionScope {
  readonly policyId: string | null;
  readonly threat: string | null;
}

export interface NamedPolicy {
  readonly id: string;
  readonly threatTypes: readonly ThreatType[];
  /** It only tells what the preset does: policies that name the same type override it. */
  readonly fromPreset: boolean;
}

/**
 * The threat types whose decision an exception names. A policy decides a type when it is the first that names it,
 * highest priority first; one that decides nothing (or is gone) leaves nothing to scope.
 */
export function exceptedTypes(
  scope: ExceptionScope,
  policies: readonly NamedPolicy[],
  all: readonly ThreatType[],
): readonly ThreatType[] {
  const named = scope.threat === null ? all : all.filter((type) => type === scope.threat);
  if (scope.policyId === null) return named;
  return named.filter((type) => {
    const own = policies.find((policy) => !policy.fromPreset && policy.threatTypes.includes(type));
    const deciding = own ?? policies.find((policy) => policy.fromPreset && policy.threatTypes.includes(type));
    return deciding?.id === scope.policyId;
  });
}

/** Hosts as they are compared: lower case, without port and final dot. */
export function hostName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
}
