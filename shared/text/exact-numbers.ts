const MAX_DEPTH = 100;

/**
 * True if every number in a parsed value equals its source text. Integers beyond 2^53 and numbers beyond the range of a
 * double change when they are parsed, so that two different ones can become equal. Also false for values nested too
 * deeply to check.
 */
export function hasExactNumbers(value: unknown, depth = 0): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => hasExactNumbers(inner, depth + 1));
}
