import {
  compileContext,
  matchesDirection,
  type PolicyContext,
  type PolicyInput,
} from '../detection/index.ts';
import { paramOf, type Steps } from '../text/index.ts';
import { describeFlowRule } from './describe-flow-rule.ts';
import { matchFlowRules, type RuleMatch } from './match-flow-rules.ts';
import type { TraceContext } from './trace-context.ts';

/** A call that matches a policy, and the policy's action. */
export interface PolicyFlow extends RuleMatch {
  readonly policyId: string;
  readonly handling: 'report' | 'review' | 'block';
  /** For users: names the policy, its rule and the source, never the value. */
  readonly reason: string;
}

/** Returns the calls that match policies of this request. Every rule applies; the strictest action decides. */
export function* matchPolicies(
  context: TraceContext,
  policies: readonly PolicyInput[],
  policyContext: PolicyContext,
): Steps<PolicyFlow[]> {
  if (context.calls.length === 0) return [];
  const applying = policies
    .filter(({ rules }) => rules?.flows !== undefined && rules.flows.length > 0)
    .filter(
      ({ rules }) =>
        matchesDirection(rules?.conditions, 'output') && compileContext(rules?.conditions)(policyContext),
    )
    .flatMap((policy) => (policy.rules?.flows ?? []).map((rule) => ({ policy, rule })));
  if (applying.length === 0) return [];
  const matches = yield* matchFlowRules(
    context,
    applying.map(({ rule }) => rule),
  );
  return matches.map((match): PolicyFlow => {
    const { policy, rule } = applying[match.rule]!;
    const { id, name = id, action, rules } = policy;
    const reports = rules?.mode === 'monitor' || action === 'monitor';
    const enforced = rule.needs_approval === true ? 'review' : 'block';
    const position = match.value === null ? null : paramOf(match.value.source.message);
    const place = position === null ? '' : ` It comes from ${position}.`;
    return {
      ...match,
      policyId: id,
      handling: reports ? 'report' : enforced,
      reason: `The policy "${name}" applies: ${describeFlowRule(rule, action, reports)}${place}`,
    };
  });
}
