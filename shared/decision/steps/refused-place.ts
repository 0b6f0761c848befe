import type { Facts } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

/** Content that must not go where it is sent, whatever it is, unless an exception allows that. */
export function refusedPlace(verdict: Verdict, { rules: { refused } }: Facts): Verdict {
  if (refused === undefined) return verdict;
  const { by, reason, exceptionId } = refused;
  if (exceptionId === null) return tighten(verdict, { decision: 'block', type: 'custom_policy', reason, by });
  return { ...verdict, exceptionIds: [...new Set([...(verdict.exceptionIds ?? []), exceptionId])] };
}
