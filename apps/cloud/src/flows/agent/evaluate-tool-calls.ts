import type { DecidedBy, ThreatType } from '@csg/shared/contract';
import type { PolicyContext } from '@csg/shared/detection';
import type { Flow, PolicyFlow } from '@csg/shared/flow-control';
import {
  type CallReading,
  everyReading,
  READ_IN_TWO_WAYS,
  readInTwoWays,
  type ToolCall,
  unapprovedReadings,
} from '@csg/shared/providers';
import { canonicalJson, type ToolListing, toolListing } from '@csg/shared/text';
import type { Storage, ToolReview } from '../../storage/storage.ts';
import type { ExceptedVerdict } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import { INCOMPARABLE } from './assess-call.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import { LIST_NAMES } from './tool-lists.ts';
import { type ReviewDeps, requestReview } from './tool-reviews.ts';
import {
  BY_FLOW_CONTROL,
  type CallHistory,
  describeFlow,
  policyThreats,
  type TraceDeps,
  threatsOf,
  traceToolCalls,
} from './trace-tool-calls.ts';

export interface ToolCallDeps extends ReviewDeps, TraceDeps {
  readonly storage: ReviewDeps['storage'] & Pick<Storage, 'toolLists'>;
}

export interface CallsToEvaluate {
  readonly calls: readonly ToolCall[];
  /** Called only if a call needs a review, because the keys are digests of the whole history. */
  readonly conversation: () => ConversationKeys;
  /** The preceding conversation; null if it is unknown, so that no value can be traced. */
  readonly history: CallHistory | null;
  /** Destination of the request, for the conditions of policies. */
  readonly policyContext: PolicyContext;
  /** True if the project's lists apply. */
  readonly isListed: boolean;
  /** The agent as named in reviews. */
  readonly agentId: string;
  readonly sessionId: string | null;
  /** Id of the event that records this evaluation. */
  readonly eventId: string;
}

/** A call that the project blocks or holds for review, and why. */
interface HeldCall {
  readonly call: CallReading;
  readonly reason: string;
  readonly threatType: ThreatType;
  readonly decidedBy: DecidedBy;
}

/**
 * Applies the project's lists, flow control and policies for tool calls to the verdict on a response's texts. A blocked
 * call blocks the response; so does a call under review, until every such call of the response is approved. Approvals
 * are consumed only by a response that is allowed.
 */
export async function evaluateToolCalls(
  deps: ToolCallDeps,
  principal: Principal,
  input: CallsToEvaluate,
  verdict: ExceptedVerdict,
): Promise<ExceptedVerdict> {
  const { calls, history } = input;
  if (verdict.decision === 'block' || calls.length === 0) return verdict;
  const { flow_control: flowControl } = principal.settings;
  const readings = everyReading(calls);
  const { flows, policyFlows } = traceToolCalls(deps, principal, readings, history, input.policyContext);
  const listed = input.isListed ? await listedCalls(deps, principal, readings) : NONE_LISTED;
  const traced = flowControl === 'monitor' ? [] : tracedCalls(readings, flows);
  const ruled = (handling: PolicyFlow['handling']): HeldCall[] =>
    ruledCalls(
      readings,
      policyFlows.filter((one) => one.handling === handling),
    );
  const evaluated = {
    ...verdict,
    ...(flows.length > 0 && { flows }),
    ...(policyFlows.length > 0 && { policyFlows }),
  };
  const review = [...listed.review, ...ruled('review'), ...traced];
  const different = readInTwoWays(calls, history?.body);
  const [blocked] = [
    ...[...listed.blocked, ...ruled('block'), ...(flowControl === 'block' ? traced : [])],
    ...ambiguousCalls(different, listed.list, flowControl),
    ...unapprovedCalls(calls, review),
  ];
  if (blocked !== undefined) return blockedBy(evaluated, blocked);
  const decided = await holdForReview(deps, principal, input, firstOfEach(calls, review), evaluated);
  if (decided.decision === 'block') return decided;
  const threats = [
    ...[...threatsOf(flows), ...policyThreats(policyFlows)],
    ...different.slice(0, 1).map(() => ({ ...TWO_WAYS, confidence: 1 })),
  ];
  return threats.length === 0 ? decided : { ...decided, threats: [...decided.threats, ...threats] };
}

/** Only projects that control calls block those whose readings differ. */
function ambiguousCalls(
  different: readonly ToolCall[],
  list: string | null,
  flowControl: Principal['settings']['flow_control'],
): HeldCall[] {
  const isTraced = flowControl === 'review' || flowControl === 'block';
  const setting = list ?? (isTraced ? 'flow_control' : null);
  if (setting === null) return [];
  return different.map((call) => ({
    ...{ call, reason: READ_IN_TWO_WAYS, threatType: 'unsafe_tool_call' },
    decidedBy: { kind: 'setting', id: setting },
  }));
}

/** Calls that need an approval in a reading that no person would be shown. */
function unapprovedCalls(calls: readonly ToolCall[], review: readonly HeldCall[]): HeldCall[] {
  const unapproved = unapprovedReadings(calls);
  return review
    .filter(({ call }) => unapproved.has(call))
    .map((one) => ({ ...one, reason: READ_IN_TWO_WAYS }));
}

function firstOfEach(calls: readonly ToolCall[], review: readonly HeldCall[]): HeldCall[] {
  const own = new Set<CallReading>(calls);
  const held = new Map<CallReading, HeldCall>();
  for (const one of review) if (own.has(one.call) && !held.has(one.call)) held.set(one.call, one);
  return [...held.values()];
}

const TWO_WAYS = { type: 'unsafe_tool_call', details: READ_IN_TWO_WAYS } as const;

interface ListedCalls {
  /** The first list that the project uses; null: it uses none. */
  readonly list: string | null;
  readonly blocked: readonly HeldCall[];
  readonly review: readonly HeldCall[];
}
const NONE_LISTED: ListedCalls = { list: null, blocked: [], review: [] };

async function listedCalls(
  deps: ToolCallDeps,
  { organizationId, projectId }: Principal,
  calls: readonly CallReading[],
): Promise<ListedCalls> {
  const lists = projectId === null ? null : await deps.storage.toolLists.get(organizationId, projectId);
  if (lists === null) return NONE_LISTED;
  const held = (...listings: readonly Exclude<ToolListing, 'free'>[]): HeldCall[] =>
    calls.flatMap((call) => {
      const listing = listings.find((one) => one === toolListing(call.name, lists));
      if (listing === undefined) return [];
      const decidedBy = { kind: 'setting', id: LIST_NAMES[listing] } as const;
      return [{ call, reason: REASONS[listing], threatType: 'unsafe_tool_call', decidedBy }];
    });
  const list = Object.values(LIST_NAMES).find((name) => lists[name].length > 0) ?? null;
  return { list, blocked: held('blocked', 'not_allowed'), review: held('review') };
}

const REASONS: Readonly<Record<Exclude<ToolListing, 'free'>, string>> = {
  blocked: 'It calls a tool on the list of blocked tools.',
  not_allowed: 'It calls a tool that is not on the list of allowed tools.',
  review: 'It calls a tool that needs approval.',
};

function tracedCalls(calls: readonly CallReading[], flows: readonly Flow[]): HeldCall[] {
  return calls.flatMap((call) => {
    const flow = flows.find(({ callPath }) => callPath === call.path);
    if (flow === undefined) return [];
    const { threatType } = flow;
    return [{ call, reason: describeFlow(flow), threatType, decidedBy: BY_FLOW_CONTROL }];
  });
}

function ruledCalls(calls: readonly CallReading[], flows: readonly PolicyFlow[]): HeldCall[] {
  return calls.flatMap((call) => {
    const flow = flows.find(({ callPath }) => callPath === call.path);
    if (flow === undefined) return [];
    const decidedBy = { kind: 'policy', id: flow.policyId } as const;
    return [{ call, reason: flow.reason, threatType: 'custom_policy', decidedBy }];
  });
}

async function holdForReview(
  deps: ToolCallDeps,
  principal: Principal,
  input: CallsToEvaluate,
  held: readonly HeldCall[],
  verdict: ExceptedVerdict,
): Promise<ExceptedVerdict> {
  if (held.length === 0) return verdict;
  const incomparable = held.find(({ call }) => call.spelling === null);
  if (incomparable !== undefined) return blockedBy(verdict, { ...incomparable, reason: INCOMPARABLE });
  const conversation = input.conversation();
  const approved: ToolReview[] = [];
  const repetitions = new Map<string, number>();
  let open: { readonly held: HeldCall; readonly review: ToolReview } | null = null;
  let waiting = 0;
  for (const one of held) {
    const review = await reviewOf(deps, principal, { ...input, conversation }, one, repetitions);
    if (review.status === 'approved') approved.push(review);
    else open ??= { held: one, review };
    if (review.status !== 'approved' && ++waiting === MAX_PENDING_PER_RESPONSE) break;
  }
  if (open !== null) return blockedBy(verdict, open.held, open.review);
  for (const { id } of approved) {
    // Another instance consumed this approval first.
    if (!(await deps.storage.toolReviews.use(principal.organizationId, id)))
      return holdForReview(deps, principal, input, held, verdict);
  }
  return verdict;
}

/** Maximum number of pending calls per response, so that one response does not fill the queue. */
const MAX_PENDING_PER_RESPONSE = 10;

interface AskedBy extends Pick<CallsToEvaluate, 'agentId' | 'sessionId' | 'eventId'> {
  readonly conversation: ConversationKeys;
}

/** Returns the review of this call in this conversation, or creates one. */
async function reviewOf(
  deps: ToolCallDeps,
  principal: Principal,
  { conversation, agentId, sessionId, eventId }: AskedBy,
  { call, reason }: HeldCall,
  repetitions: Map<string, number>,
): Promise<ToolReview> {
  const { organizationId, projectId } = principal;
  const spelledAs = (key: string, repetition: number): string =>
    canonicalJson({
      project: projectId,
      conversation: key,
      repetition,
      tool: call.name,
      arguments: call.spelling,
    });
  const once = spelledAs('', 0);
  const repetition = repetitions.get(once) ?? 0;
  repetitions.set(once, repetition + 1);
  const spellings = conversation.all.map((key) => spelledAs(key, repetition));
  const open = await deps.storage.toolReviews.findOpen(organizationId, spellings);
  return requestReview(deps, principal, {
    ...{ open, spellings },
    agentId,
    sessionId,
    toolName: call.name,
    call: spelledAs(conversation.current, repetition),
    arguments: call.arguments,
    reason,
    eventId,
  });
}

function blockedBy(
  verdict: ExceptedVerdict,
  { reason, decidedBy, threatType }: HeldCall,
  review?: ToolReview,
): ExceptedVerdict {
  const isDenied = review?.status === 'denied';
  const details = isDenied ? 'It calls a tool with arguments that a person denied.' : reason;
  return {
    ...verdict,
    decision: 'block',
    confidence: 1,
    threatType,
    decidedBy,
    threats: [{ type: threatType, confidence: 1, details }, ...verdict.threats],
    replacements: new Map(),
    ...(review === undefined ? {} : { review: { id: review.id, isRequired: !isDenied } }),
  };
}
