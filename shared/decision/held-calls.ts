import type { ThreatDetail, ThreatType, ToolLists } from '../contract/index.ts';
import type { Flow, PolicyFlow, ValueKind } from '../flow-control/index.ts';
import {
  type CallReading,
  everyReading,
  READ_IN_TWO_WAYS,
  readInTwoWays,
  unapprovedReadings,
} from '../providers/index.ts';
import { paramOf, recordableText, type ToolListing, toolListings } from '../text/index.ts';
import type { Calls, Hold, Listings, ListName, Traces } from './calls.ts';

const BY_FLOW_CONTROL = { kind: 'setting', id: 'flow_control' } as const;

const STRICTNESS: Readonly<Record<Hold['action'], number>> = { report: 0, review: 1, block: 2 };

/**
 * Returns what speaks against every reading of the calls, the strictest first: lists, policies, flow control, calls that
 * are read in two ways, the agent's session.
 */
export function holdsOf(calls: Calls, lists: Listings, { flows, policyFlows }: Traces): readonly Hold[] {
  const readings = everyReading(calls.calls);
  const unapproved = unapprovedReadings(calls.calls);
  const all = [
    ...readings.flatMap((call) => listHold(calls, call, lists.of(call.name))),
    ...ofCalls(readings, policyFlows, policyHold),
    ...ofCalls(readings, calls.flowControl === 'off' ? [] : flows, (call, flow) =>
      flowHold(calls, call, flow),
    ),
    ...readInTwoWays(calls.calls, calls.request).map((call) => ambiguityHold(calls, call, lists)),
    ...calls.calls.flatMap((call) => (calls.concerns ?? []).map((reason) => sessionHold(call, reason))),
  ];
  // What a person approves is the own client's reading: another one that needs approval gets none.
  return all
    .map(
      (hold): Hold =>
        hold.action === 'review' && unapproved.has(hold.call)
          ? { ...hold, action: 'block', reason: READ_IN_TWO_WAYS }
          : hold,
    )
    .toSorted((a, b) => STRICTNESS[b.action] - STRICTNESS[a.action]);
}

/** Returns what a project's lists say about tools; null: it has none. */
export function listingsOf(lists: ToolLists | null): Listings {
  if (lists === null) return { of: () => 'free', first: null };
  const names = Object.values(LISTS);
  return {
    of: toolListings(lists),
    first: names.find((name) => lists[name].length > 0) ?? null,
  };
}

const LISTS: Readonly<Record<Exclude<ToolListing, 'free'>, ListName>> = {
  blocked: 'blocked_tools',
  not_allowed: 'allowed_tools',
  review: 'review_required_tools',
};

const LIST_REASONS: Readonly<
  Record<Calls['subject'], Readonly<Record<Exclude<ToolListing, 'free'>, string>>>
> = {
  response: {
    blocked: 'It calls a tool on the list of blocked tools.',
    not_allowed: 'It calls a tool that is not on the list of allowed tools.',
    review: 'It calls a tool that needs approval.',
  },
  call: {
    blocked: 'The tool is on the list of blocked tools.',
    not_allowed: 'The tool is not on the list of allowed tools.',
    review: 'The tool is on the list of tools that need approval.',
  },
};

function listHold({ subject }: Calls, call: CallReading, listing: ToolListing): readonly Hold[] {
  if (listing === 'free') return [];
  return [
    {
      ...{ call, source: 'list', action: listing === 'review' ? 'review' : 'block' },
      ...{ reason: LIST_REASONS[subject][listing], threatType: 'unsafe_tool_call' },
      decidedBy: { kind: 'setting', id: LISTS[listing] },
    },
  ];
}

function ofCalls<Traced extends { readonly callPath: string }>(
  readings: readonly CallReading[],
  traced: readonly Traced[],
  holdOf: (call: CallReading, traced: Traced) => Hold,
): readonly Hold[] {
  if (traced.length === 0) return [];
  const byPath = Map.groupBy(traced, ({ callPath }) => callPath);
  return readings.flatMap((call) => (byPath.get(call.path) ?? []).map((one) => holdOf(call, one)));
}

function policyHold(call: CallReading, { handling, reason, policyId, value }: PolicyFlow): Hold {
  return {
    sources: value === null ? [] : [value.source],
    ...{ call, source: 'policy', action: handling, reason, threatType: 'custom_policy' },
    decidedBy: { kind: 'policy', id: policyId },
  };
}

function flowHold({ flowControl }: Calls, call: CallReading, flow: Flow): Hold {
  return {
    ...{ call, source: 'flow', threatType: flow.threatType, reason: describeFlow(flow) },
    action: flowControl === 'block' || flowControl === 'review' ? flowControl : 'report',
    decidedBy: BY_FLOW_CONTROL,
    sources: flow.addressSource === null ? [flow.source] : [flow.source, flow.addressSource],
  };
}

/** Only projects that control calls block those that clients read differently. */
function ambiguityHold({ flowControl }: Calls, call: CallReading, { first }: Listings): Hold {
  const isTraced = flowControl === 'review' || flowControl === 'block';
  const setting = first ?? (isTraced ? 'flow_control' : null);
  return {
    ...{ call, source: 'reading', threatType: 'unsafe_tool_call', reason: READ_IN_TWO_WAYS },
    action: setting === null ? 'report' : 'block',
    ...(setting !== null && { decidedBy: { kind: 'setting', id: setting } }),
  };
}

function sessionHold(call: CallReading, reason: string): Hold {
  return { call, source: 'session', action: 'review', reason, threatType: 'unsafe_tool_call' };
}

/** Returns the threats that are only reported: one for each type of flow, policy, and the first ambiguous call. */
export function threatsOfCalls(
  { flows, policyFlows: [rule] }: Traces,
  holds: readonly Hold[],
): readonly ThreatDetail[] {
  const first = new Map<ThreatType, Flow>();
  for (const flow of flows) if (!first.has(flow.threatType)) first.set(flow.threatType, flow);
  const threats = [...first].map(
    ([type, flow]): ThreatDetail => ({ type, confidence: 1, details: describeFlow(flow) }),
  );
  if (rule !== undefined) threats.push({ type: 'custom_policy', confidence: 1, details: rule.reason });
  const ambiguous = holds.find(({ source }) => source === 'reading');
  if (ambiguous !== undefined)
    threats.push({ type: ambiguous.threatType, confidence: 1, details: ambiguous.reason });
  return threats;
}

const KINDS: Readonly<Record<ValueKind, string>> = {
  email: 'an email address',
  phone: 'a phone number',
  account: 'an account number',
  channel: 'a channel',
  person: 'a recipient',
  url: 'an address',
  host: 'a host',
  path: 'a path',
  command: 'a command',
  amount: 'an amount',
};

/** Describes a flow for a person: the kind of the value and its source, never the value. */
export function describeFlow({ toolName, kind, source, isCarrying }: Flow): string {
  const tool = recordableText(toolName) ?? 'A tool';
  const place = paramOf(source.message);
  const message = place === null ? '' : ` (${place})`;
  if (kind === 'too_many') return `${tool} is called with more values than can be traced to their source.`;
  if (kind === 'tainted')
    return `${tool} is called with a value from a passage of untrusted data that gives the model instructions${message}.`;
  if (isCarrying)
    return `${tool} is called with an address that contains a value from another part of the conversation${message}.`;
  return `${tool} is called with ${KINDS[kind]} that occurs only in untrusted data${message}, not in texts of the user or the developer.`;
}
