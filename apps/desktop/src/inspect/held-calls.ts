import type { ThreatType } from '@csg/shared/contract';
import {
  createTraceContext,
  type Flow,
  type FlowSource,
  matchPolicies,
  traceCalls,
} from '@csg/shared/flow-control';
import {
  type CallReading,
  everyReading,
  readInTwoWays,
  type ToolCall,
  unapprovedReadings,
} from '@csg/shared/providers';
import { toolListing } from '@csg/shared/text';
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

/** Returns the calls that the project's lists, policy rules or flow control do not simply allow. */
export function heldCalls(
  { compiled, host }: InspectedRequest,
  prompt: RequestReading,
  calls: readonly ToolCall[],
  nowMs: number,
): HeldCall[] {
  const rules = compiled.policy.ruleset.toolCalls;
  if (rules === undefined) return [];
  const { lists, flow_control: flowControl } = rules;
  const isTraced = flowControl === 'review' || flowControl === 'block';
  const readings = everyReading(calls);
  const isListed = lists !== null && Object.values(lists).some((names) => names.length > 0);
  const different = new Set<CallReading>(isListed || isTraced ? readInTwoWays(calls, prompt.value) : []);
  const unapproved = unapprovedReadings(calls);
  const context = createTraceContext({
    ...{ calls: readings, conversation: prompt, body: prompt.value },
    ...{ effectTools: rules.effect_tools, recordTools: rules.record_tools },
  });
  const flows = isTraced ? traceCalls(context) : [];
  const policyContext = { host, model: prompt.model, atMs: nowMs };
  const enforced = matchPolicies(context, compiled.policy.ruleset.policies, policyContext).filter(
    ({ handling }) => handling !== 'report',
  );
  const ruledOf = Map.groupBy(enforced, ({ callPath }) => callPath);
  const flowsOf = Map.groupBy(flows, ({ callPath }) => callPath);
  return readings.flatMap((call): HeldCall[] => {
    const listing = lists === null ? 'free' : toolListing(call.name, lists);
    const flow = flowsOf.get(call.path)?.[0];
    const reasons: Omit<HeldCall, 'call'>[] = [
      ...(different.has(call) ? [listed(false)] : []),
      ...(listing === 'free' ? [] : [listed(listing === 'review')]),
      ...(ruledOf.get(call.path) ?? []).map(({ handling, value }) => ({
        ...{ threatType: 'custom_policy' as const, isReviewed: handling === 'review' },
        ...{ found: ['custom_policy' as const], sources: value === null ? [] : [value.source] },
      })),
      ...(flow === undefined ? [] : [traced(flow, flowControl === 'review')]),
    ];
    const [first] = reasons.toSorted((a, b) => Number(a.isReviewed) - Number(b.isReviewed));
    if (first === undefined) return [];
    const found = reasons.flatMap((reason) => reason.found);
    const isReviewed = first.isReviewed && !unapproved.has(call);
    return [{ ...first, isReviewed, call, found, sources: reasons.flatMap(({ sources }) => sources) }];
  });
}

const listed = (isReviewed: boolean): Omit<HeldCall, 'call'> => ({
  ...{ threatType: 'unsafe_tool_call', isReviewed, found: [], sources: [] },
});

function traced({ threatType, source, addressSource }: Flow, isReviewed: boolean): Omit<HeldCall, 'call'> {
  const sources = addressSource === null ? [source] : [source, addressSource];
  return { threatType, isReviewed, found: [threatType], sources };
}
