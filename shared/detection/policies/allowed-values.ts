import type { Finding, PolicyInput } from '../types.ts';

/** Returns the ids of the policies that allow a value; undefined: none. */
export type AllowedValues = (value: string) => readonly string[] | undefined;

/**
 * Compiles the allowed values; null: there are none. Policies in monitor mode decide nothing, so theirs are ignored.
 */
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

/** Returns the policies that allow exactly the value of a finding. */
export function allowedBy(
  allowed: AllowedValues | null,
  text: string,
  { start, end }: Pick<Finding, 'start' | 'end'>,
): Pick<Finding, 'allowedBy'> {
  const policies = allowed?.(text.slice(start, end));
  return policies === undefined ? {} : { allowedBy: policies };
}

/**
 * Normalizes a value for comparison: separators between the digits of a number and the case of an email address are
 * ignored.
 */
export function normalValue(value: string): string {
  const trimmed = value.trim();
  if (trimmed.includes('@')) return trimmed.toLowerCase();
  if (/^\+?[\d\s().-]+$/.test(trimmed) && !/^\d+(?:\.\d+){3}$/.test(trimmed))
    return trimmed.replace(/[^\d+]/g, '');
  return trimmed.replace(/\s+/g, '');
}
