const MAX_DEPTH = 100;

/**
 * Whether every number in a parsed value is the one that was written. Integers beyond 2^53 and numbers beyond the range
 * of a double change by being parsed: two that differ become equal. False also for what is nested too deep to look at.
 */
export function hasExactNumbers(value: unknown, depth = 0): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => hasExactNumbers(inner, depth + 1));
}
