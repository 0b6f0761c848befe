import { type Ruleset, type Situation, situate } from '@csg/shared/detection';
import type { CompiledPolicy } from '../inspect/compile-policy.ts';

/** Names the rules that count for a request: what was judged by others is judged anew. */
export type ScopeOf = (compiled: CompiledPolicy, situation: Situation) => string;

/** `service`: its address, for a computer that moves to another one. */
export function createScopeOf(service: () => string): ScopeOf {
  const numbers = new WeakMap<Ruleset, number>();
  let last = 0;
  return ({ policy, ruleset }, situation) => {
    const { policyVersion, mode } = policy;
    if (ruleset.situational === null) return JSON.stringify([service(), policyVersion, mode]);
    // Policies that ask for a time or a place come and go without a new version.
    const counting = situate(ruleset, situation);
    let number = numbers.get(counting);
    if (number === undefined) {
      number = ++last;
      numbers.set(counting, number);
    }
    return JSON.stringify([service(), policyVersion, mode, number]);
  };
}
