import type { ThreatDetail, ThreatType } from '@csg/shared/contract';
import type { PolicyContext } from '@csg/shared/detection';
import {
  createTraceContext,
  type Flow,
  matchPolicies,
  type PolicyFlow,
  traceCalls,
  type ValueKind,
} from '@csg/shared/flow-control';
import type { CallReading } from '@csg/shared/providers';
import { type Conversation, paramOf } from '@csg/shared/text';
import { recordableText } from '../approvals/participants.ts';
import type { Principal } from '../authenticate-key.ts';
import type { SketchCache } from './sketch-cache.ts';

/** The conversation before the calls. */
export interface CallHistory {
  readonly conversation: Conversation;
  /** The request body, which defines the tools and shows which tool returned what. */
  readonly body: unknown;
}

/** Flows in the calls of a response, and calls that match the project's policies. */
export interface TracedResponse {
  readonly flows: readonly Flow[];
  readonly policyFlows: readonly PolicyFlow[];
}

export interface TraceDeps {
  readonly sketches: SketchCache;
}

/** `history` is null if it is unknown, so that no value can be traced. */
export function traceToolCalls(
  { sketches }: TraceDeps,
  { settings, ruleset, organizationId }: Pick<Principal, 'settings' | 'ruleset' | 'organizationId'>,
  calls: readonly CallReading[],
  history: CallHistory | null,
  policyContext: PolicyContext,
): TracedResponse {
  if (history === null || calls.length === 0) return { flows: [], policyFlows: [] };
  const { flow_control, effect_tools: effectTools, record_tools: recordTools } = settings;
  const context = createTraceContext({
    ...{ calls, ...history, effectTools, recordTools },
    sketchOf: sketches.of(organizationId),
  });
  return {
    flows: flow_control === 'off' ? [] : traceCalls(context),
    policyFlows: matchPolicies(context, ruleset.input.policies, policyContext),
  };
}

export const BY_FLOW_CONTROL = { kind: 'setting', id: 'flow_control' } as const;

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
  if (isCarrying)
    return `${tool} is called with an address that contains a value from another part of the conversation${message}.`;
  return `${tool} is called with ${KINDS[kind]} that occurs only in untrusted data${message}, not in texts of the user or the developer.`;
}

/** Returns one entry for each threat type. */
export function threatsOf(flows: readonly Flow[]): ThreatDetail[] {
  const first = new Map<ThreatType, Flow>();
  for (const flow of flows) if (!first.has(flow.threatType)) first.set(flow.threatType, flow);
  return [...first].map(([type, flow]) => ({ type, confidence: 1, details: describeFlow(flow) }));
}

/** Returns one entry, for the first matching rule. */
export function policyThreats([first]: readonly PolicyFlow[]): ThreatDetail[] {
  return first === undefined ? [] : [{ type: 'custom_policy', confidence: 1, details: first.reason }];
}
