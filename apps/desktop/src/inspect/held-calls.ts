import type { ThreatType } from '@csg/shared/contract';
import { type Hold, holdsOf, listingsOf } from '@csg/shared/decision';
import { createTraceContext, type FlowSource, matchPolicies, traceCalls } from '@csg/shared/flow-control';
import { type CallReading, everyReading, type ToolCall } from '@csg/shared/providers';
import { finish } from '@csg/shared/text';
import type { InspectedRequest } from './evaluate-reading.ts';
import type { RequestReading } from './request-reading.ts';

export interface HeldCall {
  readonly call: CallReading;
  readonly threatType: ThreatType;
  /** True: a reviewer may approve it. */
  readonly isReviewed: boolean;
  /** Threats that the service must also find, and the sources of the values. */
  readonly found: readonly ThreatType[];
  readonly sources: readonly FlowSource[];
}

/** Returns the calls that the project's lists, policy rules or flow control do not simply allow, as the service does. */
export function heldCalls(
  { compiled, host }: InspectedRequest,
  prompt: RequestReading,
  calls: readonly ToolCall[],
  nowMs: number,
): HeldCall[] {
  const { toolCalls: rules, policies } = compiled.policy.ruleset;
  if (rules === undefined || calls.length === 0) return [];
  const flowControl = rules.flow_control;
  const context = createTraceContext({
    ...{ calls: everyReading(calls), conversation: prompt, body: prompt.value },
    tainted: prompt.tainted ?? [],
    ...{ effectTools: rules.effect_tools, recordTools: rules.record_tools },
  });
  const isTraced = flowControl === 'review' || flowControl === 'block';
  const traces = {
    flows: isTraced ? finish(traceCalls(context)) : [],
    policyFlows: finish(matchPolicies(context, policies, { host, model: prompt.model, atMs: nowMs })),
  };
  const decided = { calls, request: prompt.value, subject: 'response', flowControl } as const;
  const holds = holdsOf(decided, listingsOf(rules.lists), traces).filter(({ action }) => action !== 'report');
  return [...Map.groupBy(holds, ({ call }) => call)].map(([call, [strictest, ...others]]) =>
    heldCall(call, strictest!, [strictest!, ...others]),
  );
}

function heldCall(call: CallReading, { threatType, action }: Hold, holds: readonly Hold[]): HeldCall {
  return {
    ...{ call, threatType, isReviewed: action === 'review' },
    // Lists hold a call whatever it contains.
    found: holds.filter(({ sources }) => sources !== undefined).map((hold) => hold.threatType),
    sources: holds.flatMap(({ sources = [] }) => sources),
  };
}
