import { hasExactNumbers } from './exact-numbers.ts';

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses JSON with `keep(digits)` in place of every number that a double cannot hold. Throws as JSON.parse does. */
export function parseKeepingNumbers(json: string, keep: (written: string) => unknown): unknown {
  const reviver: Reviver = (_name, value, context) =>
    typeof value !== 'number' || hasExactNumbers(value) || context?.source === undefined
      ? value
      : keep(context.source);
  return JSON.parse(json, reviver);
}
