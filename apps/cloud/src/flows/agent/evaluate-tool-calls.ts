import type { ToolLists } from '@csg/shared/contract';
import type { ToolCall } from '@csg/shared/providers';
import { canonicalJson } from '@csg/shared/text';
import type { Storage, ToolReview } from '../../storage/storage.ts';
import type { ExceptedVerdict } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import type { ConversationKeys } from './conversation-keys.ts';
import { LIST_NAMES, type Listing, projectListingOf } from './tool-lists.ts';
import { type ReviewDeps, requestReview } from './tool-reviews.ts';

export interface ToolCallDeps extends ReviewDeps {
  readonly storage: ReviewDeps['storage'] & Pick<Storage, 'toolLists'>;
}

export interface CallsToEvaluate {
  readonly calls: readonly ToolCall[];
  readonly conversation: ConversationKeys;
  /** As reviews name who asks. */
  readonly agentId: string;
  readonly sessionId: string | null;
}

/** A call that the project does not simply allow, and why. */
interface HeldCall {
  readonly call: ToolCall;
  readonly reason: string;
  /** The field of the project that it follows from. */
  readonly setting: string;
}

/**
 * What the project's lists say of the tool calls of an answer, laid over the verdict on its texts. A blocked tool blocks
 * the answer; so does a call under review, until a person has approved every such call of the answer. Approvals are
 * used up only by an answer that passes.
 */
export async function evaluateToolCalls(
  deps: ToolCallDeps,
  principal: Principal,
  input: CallsToEvaluate,
  verdict: ExceptedVerdict,
): Promise<ExceptedVerdict> {
  const { organizationId, projectId } = principal;
  if (verdict.decision === 'block' || input.calls.length === 0 || projectId === null) return verdict;
  const lists = await deps.storage.toolLists.get(organizationId, projectId);
  if (lists === null) return verdict;
  const blocked = findBlocked(input.calls, lists);
  if (blocked !== null) return blockedBy(verdict, blocked);
  return holdForReview(deps, principal, input, heldCalls(input.calls, lists), verdict);
}

function findBlocked(calls: readonly ToolCall[], lists: ToolLists): HeldCall | null {
  for (const call of calls) {
    const listing = projectListingOf(call.name, lists);
    if (listing === 'blocked' || listing === 'not_allowed')
      return { call, reason: REASONS[listing], setting: LIST_NAMES[listing] };
  }
  return null;
}

function heldCalls(calls: readonly ToolCall[], lists: ToolLists): HeldCall[] {
  return calls
    .filter(({ name }) => projectListingOf(name, lists) === 'review')
    .map((call) => ({ call, reason: REASONS.review, setting: LIST_NAMES.review }));
}

const REASONS: Readonly<Record<Exclude<Listing, 'free'>, string>> = {
  blocked: 'It calls a tool on the list of blocked tools.',
  not_allowed: 'It calls a tool that is not on the list of allowed tools.',
  review: 'It calls a tool that a person has to approve.',
};

async function holdForReview(
  deps: ToolCallDeps,
  principal: Principal,
  input: CallsToEvaluate,
  held: readonly HeldCall[],
  verdict: ExceptedVerdict,
): Promise<ExceptedVerdict> {
  const approved: ToolReview[] = [];
  const repetitions = new Map<string, number>();
  let open: { readonly held: HeldCall; readonly review: ToolReview } | null = null;
  for (const one of held) {
    const review = await reviewOf(deps, principal, input, one, repetitions);
    if (review.status === 'approved') approved.push(review);
    else open ??= { held: one, review };
  }
  if (open !== null) return blockedBy(verdict, open.held, open.review);
  for (const { id } of approved) {
    // Another instance was first: what it let pass was this approval.
    if (!(await deps.storage.toolReviews.use(principal.organizationId, id)))
      return holdForReview(deps, principal, input, held, verdict);
  }
  return verdict;
}

/** The review that this call has in this conversation, or a new one. */
async function reviewOf(
  deps: ToolCallDeps,
  principal: Principal,
  { conversation, agentId, sessionId }: CallsToEvaluate,
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
  const open = await deps.storage.toolReviews.findOpen(
    organizationId,
    conversation.all.map((key) => spelledAs(key, repetition)),
  );
  return requestReview(deps, principal, {
    open,
    agentId,
    sessionId,
    toolName: call.name,
    call: spelledAs(conversation.current, repetition),
    arguments: call.arguments,
    reason,
  });
}

function blockedBy(
  verdict: ExceptedVerdict,
  { reason, setting }: HeldCall,
  review?: ToolReview,
): ExceptedVerdict {
  const isDenied = review?.status === 'denied';
  const details = isDenied ? 'It calls a tool with arguments that a person denied.' : reason;
  return {
    ...verdict,
    decision: 'block',
    confidence: 1,
    threatType: 'unsafe_tool_call',
    decidedBy: { kind: 'setting', id: setting },
    threats: [{ type: 'unsafe_tool_call', confidence: 1, details }, ...verdict.threats],
    replacements: new Map(),
    ...(review === undefined ? {} : { review: { id: review.id, isRequired: !isDenied } }),
  };
}
