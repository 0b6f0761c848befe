import type { Finding, PolicyInput } from '../types.ts';

/** Policies that leave a value alone: their ids; none: undefined. */
export type AllowedValues = (value: string) => readonly string[] | undefined;

/** null: no policy leaves any value alone. One that only watches decides nothing, so it has none. */
export function compileAllowedValues(policies: readonly PolicyInput[]): AllowedValues | null {
  const policiesOf = new Map<string, string[]>();
  for (const { id, rules } of policies) {
    if (rules?.mode === 'monitor') continue;
    for (const value of new Set((rules?.allowed_values ?? []).map(normalValue))) {
      policiesOf.set(value, [...(policiesOf.get(value) ?? []), id]);
    }
  }
  return policiesOf.size === 0 ? null : (value) => policiesOf.get(normalValue(value));
}

/** For a finding: the policies that leave its very value alone. */
export function allowedBy(
  allowed: AllowedValues | null,
  text: string,
  { start, end }: Pick<Finding, 'start' | 'end'>,
): Pick<Finding, 'allowedBy'> {
  const policies = allowed?.(text.slice(start, end));
  return policies === undefined ? {} : { allowedBy: policies };
}

/** Spaces and hyphens between the digits of a number do not matter, nor does the case of an email address. */
export function normalValue(value: string): string {
  const trimmed = value.trim();
  if (trimmed.includes('@')) return trimmed.toLowerCase();
  if (/^\+?[\d\s().-]+$/.test(trimmed) && !/^\d+(?:\.\d+){3}$/.test(trimmed))
    return trimmed.replace(/[^\d+]/g, '');
  return trimmed.replace(/\s+/g, '');
}
