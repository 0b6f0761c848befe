import type { Facts } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

/** A text that cannot be scanned is blocked, whatever fail_mode, policies and exceptions say. */
export function unscannable(verdict: Verdict, { scan }: Facts): Verdict {
  if (scan.kind !== 'unscannable') return verdict;
  const { message, reason } = scan.cause;
  const by = { kind: 'limit', id: reason } as const;
  return tighten(verdict, { decision: 'block', type: 'hidden_content', reason: message, by });
}
