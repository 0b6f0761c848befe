import type { ThreatDetail, ThreatType } from '../contract/index.ts';
import type { Flow, PolicyFlow, ValueKind } from '../flow-control/index.ts';
import type { ToolCall } from '../providers/index.ts';
import { paramOf, type ToolListing } from '../text/index.ts';
import type { Calls, Hold, Traces } from './calls.ts';

const BY_FLOW_CONTROL = { kind: 'setting', id: 'flow_control' } as const;

const STRICTNESS: Readonly<Record<Hold['action'], number>> = { report: 0, review: 1, block: 2 };

/** Returns what speaks against the calls, the strictest first: lists, policies, flow control, the agent's session. */
export function holdsOf(
  calls: Calls,
  listingOf: (tool: string) => ToolListing,
  { flows, policyFlows }: Traces,
): readonly Hold[] {
  const all = [
    ...calls.calls.flatMap((call) => listHold(calls, call, listingOf(call.name))),
    ...ofCalls(calls, policyFlows, policyHold),
    ...ofCalls(calls, calls.flowControl === 'off' ? [] : flows, (call, flow) => flowHold(calls, call, flow)),
    ...calls.calls.flatMap((call) => (calls.concerns ?? []).map((reason) => sessionHold(call, reason))),
  ];
  return all.toSorted((a, b) => STRICTNESS[b.action] - STRICTNESS[a.action]);
}

/** The project field that causes each listing. */
const LISTS = {
  blocked: 'blocked_tools',
  not_allowed: 'allowed_tools',
  review: 'review_required_tools',
} as const;

const LIST_REASONS: Readonly<Record<Calls['subject'], Readonly<Record<keyof typeof LISTS, string>>>> = {
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

function listHold({ subject }: Calls, call: ToolCall, listing: ToolListing): readonly Hold[] {
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
  { calls }: Calls,
  traced: readonly Traced[],
  holdOf: (call: ToolCall, traced: Traced) => Hold,
): readonly Hold[] {
  if (traced.length === 0) return [];
  const byPath = Map.groupBy(traced, ({ callPath }) => callPath);
  return calls.flatMap((call) => (byPath.get(call.path) ?? []).map((one) => holdOf(call, one)));
}

function policyHold(call: ToolCall, { handling, reason, policyId }: PolicyFlow): Hold {
  return {
    ...{ call, source: 'policy', action: handling, reason, threatType: 'custom_policy' },
    decidedBy: { kind: 'policy', id: policyId },
  };
}

function flowHold({ flowControl }: Calls, call: ToolCall, flow: Flow): Hold {
  return {
    ...{ call, source: 'flow', threatType: flow.threatType, reason: describeFlow(flow) },
    action: flowControl === 'block' || flowControl === 'review' ? flowControl : 'report',
    decidedBy: BY_FLOW_CONTROL,
  };
}

function sessionHold(call: ToolCall, reason: string): Hold {
  return { call, source: 'session', action: 'review', reason, threatType: 'unsafe_tool_call' };
}

/** Returns one threat for each type of flow, and one for the first policy that applies. */
export function threatsOfCalls({ flows, policyFlows: [rule] }: Traces): readonly ThreatDetail[] {
  const first = new Map<ThreatType, Flow>();
  for (const flow of flows) if (!first.has(flow.threatType)) first.set(flow.threatType, flow);
  const threats = [...first].map(
    ([type, flow]): ThreatDetail => ({ type, confidence: 1, details: describeFlow(flow) }),
  );
  if (rule === undefined) return threats;
  return [...threats, { type: 'custom_policy', confidence: 1, details: rule.reason }];
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

/** A name that is one word: callers can write arbitrary text. */
const PLAIN_NAME = /^[\w.:[\]-]{1,255}$/;

/** Describes a flow for a person: the kind of the value and its source, never the value. */
export function describeFlow({ toolName, kind, source, isCarrying }: Flow): string {
  const tool = PLAIN_NAME.test(toolName) ? toolName : 'A tool';
  const place = paramOf(source.message);
  const message = place === null ? '' : ` (${place})`;
  if (isCarrying)
    return `${tool} is called with an address that contains a value from another part of the conversation${message}.`;
  return `${tool} is called with ${KINDS[kind]} that occurs only in untrusted data${message}, not in texts of the user or the developer.`;
}
