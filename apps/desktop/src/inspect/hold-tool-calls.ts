import type { GuardRequest, GuardResponse, ThreatType } from '@csg/shared/contract';
import { EMPTY_VERDICT } from '@csg/shared/detection';
import { type Flow, matchPolicies, traceCalls } from '@csg/shared/flow-control';
import type { ToolCall } from '@csg/shared/providers';
import { toolListing } from '@csg/shared/text';
import { blockSentence } from './block-reply.ts';
import { type Action, decideVerdict } from './decide-exchange.ts';
import type { EvaluationTools, InspectedRequest } from './evaluate-reading.ts';
import type { RequestReading } from './request-reading.ts';
import { sessionIdOf } from './session-id-of.ts';

interface HeldCall {
  readonly call: ToolCall;
  readonly threatType: ThreatType;
  /** True: a person may approve it. */
  readonly isReviewed: boolean;
  readonly flow: Flow | null;
}

type Held = { readonly isUnanswered: boolean } & Extract<Action, { kind: 'forward' | 'block' }>;

/**
 * What the project's lists and its flow control hold of the calls of a response; null: nothing. Whether a person approved
 * a call only the service knows; without it the call is blocked.
 */
export async function holdToolCalls(
  request: InspectedRequest,
  prompt: RequestReading,
  calls: readonly ToolCall[],
  tools: EvaluationTools,
): Promise<Held | null> {
  const held = heldCalls(request, prompt, calls, tools.now());
  const [first] = held.toSorted((a, b) => Number(a.isReviewed) - Number(b.isReviewed));
  if (first === undefined) return null;
  const { access } = tools;
  let fields = {};
  let isUnanswered = false;
  if (first.isReviewed && access !== null) {
    const outcome = await access.guard(await reviewQuestion(request, prompt, held), access.deadlineMs);
    if (outcome.kind === 'verdict') {
      if (approves(outcome.response, held)) return null;
      const { review_required, review_id } = outcome.response;
      if (review_id !== undefined) fields = { review_required, review_id };
    } else isUnanswered = true;
  }
  const verdict = {
    ...EMPTY_VERDICT,
    decision: 'block',
    threatType: first.threatType,
    confidence: 1,
  } as const;
  const action = decideVerdict(
    request.compiled,
    { verdict, exceptionId: null },
    {
      ...{ host: request.host, path: request.path, method: request.method, direction: 'output' },
      reading: { ...prompt, slots: [], problem: null, isAmbiguous: false },
      ...{ nowMs: tools.now(), newEventId: tools.newEventId() },
    },
  );
  if (action.kind !== 'block' || prompt.format === null)
    return action.kind === 'redact' ? null : { ...action, isUnanswered };
  const { policy } = request.compiled;
  const { eventId } = action.event;
  const message = blockSentence(policy, 'output', action.event);
  const { requestUrl: dashboardUrl } = policy;
  const block = { message, eventId, fields, ...(dashboardUrl !== null && { dashboardUrl }) };
  return { ...action, reply: prompt.format.rejectionOf(block), isUnanswered };
}

function heldCalls(
  { compiled, host }: InspectedRequest,
  prompt: RequestReading,
  calls: readonly ToolCall[],
  nowMs: number,
): HeldCall[] {
  const rules = compiled.policy.ruleset.toolCalls;
  if (rules === undefined) return [];
  const { lists, flow_control: flowControl } = rules;
  const isTraced = flowControl === 'review' || flowControl === 'block';
  const input = {
    ...{ calls, conversation: prompt, body: prompt.value },
    ...{ effectTools: rules.effect_tools, recordTools: rules.record_tools },
  };
  const flows = isTraced ? traceCalls(input) : [];
  const situation = { host, model: prompt.model, atMs: nowMs };
  const ruled = new Set(
    matchPolicies(input, compiled.policy.ruleset.policies, situation)
      .filter(({ handling }) => handling !== 'report')
      .map(({ callPath }) => callPath),
  );
  return calls.flatMap((call): HeldCall[] => {
    const listing = lists === null ? 'free' : toolListing(call.name, lists);
    if (listing !== 'free')
      return [{ call, threatType: 'unsafe_tool_call', isReviewed: listing === 'review', flow: null }];
    // What a policy's rule is about the service could not find again: a person cannot approve it here.
    if (ruled.has(call.path)) return [{ call, threatType: 'custom_policy', isReviewed: false, flow: null }];
    const flow = flows.find(({ callPath }) => callPath === call.path);
    if (flow === undefined) return [];
    return [{ call, threatType: flow.threatType, isReviewed: flowControl === 'review', flow }];
  });
}

/**
 * Whether the service lets the calls pass knowing why they were held here: an approved flow is still reported as a
 * threat. What it did not find was not approved.
 */
function approves({ decision, threats }: GuardResponse, held: readonly HeldCall[]): boolean {
  const types = new Set<string>(threats.map(({ type }) => type));
  return decision !== 'block' && held.every(({ flow }) => flow === null || types.has(flow.threatType));
}

/** The held calls with the texts that their values come from, so that the service sees what was seen here. */
async function reviewQuestion(
  { host }: InspectedRequest,
  prompt: RequestReading,
  held: readonly HeldCall[],
): Promise<GuardRequest> {
  const sources = new Set(
    held.flatMap(({ flow }) => (flow === null ? [] : [flow.source.path, flow.addressSource?.path])),
  );
  const texts = prompt.slots.filter(({ path }) => sources.has(path));
  const tool_calls = held.map(({ call }) => ({ name: call.name, args: call.arguments }));
  return {
    messages: [{ role: 'tool', content: '' }, ...texts.map(({ text }) => ({ role: 'tool', content: text }))],
    destination_host: host,
    context: { session_id: await sessionIdOf(prompt.messages), tool_calls },
  };
}
