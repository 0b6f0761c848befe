import { finish, type Steps } from './steps.ts';

const MAX_DEPTH = 100;
/** Members and items between two pauses. */
const STRIDE = 64;

/**
 * True if every number in a parsed value equals its source text. Integers beyond 2^53 and numbers beyond the range of a
 * double change when they are parsed, so that two different ones can become equal. Also false for values nested too
 * deeply to check.
 */
export function hasExactNumbers(value: unknown): boolean {
  return isExact(value) ?? finish(hasExactNumbersInSteps(value));
}

/** Does the same in steps. */
export function* hasExactNumbersInSteps(value: unknown, depth = 0): Steps<boolean> {
  const exact = isExact(value);
  if (exact !== null) return exact;
  if (depth >= MAX_DEPTH) return false;
  let count = 0;
  // In order, without a list of all: of an object with very many members that takes long.
  for (const name in value as object) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (!(isExact(inner) ?? (yield* hasExactNumbersInSteps(inner, depth + 1)))) return false;
    if (++count % STRIDE === 0) yield;
  }
  return true;
}

/** Null for containers. */
function isExact(value: unknown): boolean | null {
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return typeof value !== 'object' || value === null ? true : null;
}
