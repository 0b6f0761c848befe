import type { ToolLists } from '@csg/shared/contract';
import {
  type Calls,
  type Hold,
  type Listings,
  listingsOf,
  type ReviewAnswer,
  type Traces,
} from '@csg/shared/decision';
import type { PolicyContext } from '@csg/shared/detection';
import { type CallReading, everyReading } from '@csg/shared/providers';
import { canonicalJson } from '@csg/shared/text';
import type { Storage, ToolReview } from '../../storage/storage.ts';
import type { ConversationKeys } from '../agent/conversation-keys.ts';
import { type ReviewDeps, requestReview } from '../agent/request-review.ts';
import { type CallHistory, type TraceDeps, traceToolCalls } from '../agent/trace-tool-calls.ts';
import type { Principal } from '../authenticate-key.ts';

export interface ToolCallDeps extends ReviewDeps, TraceDeps {
  readonly storage: ReviewDeps['storage'] & Pick<Storage, 'toolLists'>;
}

/** Tool calls to decide on. */
export interface CallsToEvaluate extends Pick<Calls, 'calls' | 'subject' | 'concerns'> {
  /** Returns what the project's lists say; null: no lists apply. */
  readonly listing: ((lists: ToolLists | null) => Listings) | null;
  /** The preceding conversation; null if it is unknown, so that no value can be traced. */
  readonly history: CallHistory | null;
  /** Destination of the request, for the conditions of policies. */
  readonly policyContext: PolicyContext;
  /** The agent as named in reviews. */
  readonly agentId: string;
  readonly sessionId: string | null;
  /** Called only if a call needs a review, because it may hash the whole history. */
  readonly identify: () => IdentifyCall;
}

/** Returns the spellings by which a review recognizes a call, the current one first. `repetition`: of equal calls. */
export type IdentifyCall = (call: CallReading, repetition: number) => readonly [string, ...string[]];

/** A review covers exactly this call in exactly this conversation. */
export function inConversation(projectId: string | null, keys: () => ConversationKeys): () => IdentifyCall {
  return () => {
    const { current, all } = keys();
    const spell = (conversation: string, { name, spelling }: CallReading, repetition: number): string =>
      canonicalJson({ project: projectId, conversation, repetition, tool: name, arguments: spelling });
    return (call, repetition) => [
      spell(current, call, repetition),
      ...all.filter((key) => key !== current).map((key) => spell(key, call, repetition)),
    ];
  };
}

export async function readListings(
  { storage }: ToolCallDeps,
  { organizationId, projectId }: Principal,
  { listing }: CallsToEvaluate,
): Promise<Listings> {
  if (listing === null) return listingsOf(null);
  return listing(projectId === null ? null : await storage.toolLists.get(organizationId, projectId));
}

export function traceCallsOf(
  deps: ToolCallDeps,
  principal: Principal,
  { calls, history, policyContext }: CallsToEvaluate,
): Promise<Traces> {
  const tracing = traceToolCalls(deps, principal, everyReading(calls), history, policyContext);
  return deps.pacedTurns.run(principal, tracing);
}

/** Maximum number of pending calls per response, so that one response does not fill the queue. */
const MAX_PENDING_PER_RESPONSE = 10;

/**
 * Returns the first call that no reviewer approved, after it created the reviews that are missing. Approvals are
 * consumed only if all of the calls have one.
 */
export async function reviewCalls(
  deps: ToolCallDeps,
  principal: Principal,
  input: CallsToEvaluate,
  holds: readonly Hold[],
  eventId: string,
): Promise<ReviewAnswer> {
  const spellingsOf = numbered(input.identify());
  const reviewOf = async (hold: Hold): Promise<ToolReview | null> => {
    const spellings = spellingsOf(hold.call);
    const open = await deps.storage.requests.findOpen(principal.organizationId, 'tool_review', spellings);
    return requestReview(deps, principal, {
      ...{ open, spellings, call: spellings[0], eventId, reason: hold.reason },
      ...{ agentId: input.agentId, sessionId: input.sessionId },
      ...{ toolName: hold.call.name, arguments: hold.call.arguments },
    });
  };
  const approved: ToolReview[] = [];
  let open: ReviewAnswer = null;
  let waiting = 0;
  for (const hold of holds) {
    const review = await reviewOf(hold);
    if (review === null) {
      open ??= { hold, id: null, status: 'not_queued', reason: null };
      break;
    }
    const { id, status, decisionReason } = review;
    if (status === 'approved') {
      approved.push(review);
      continue;
    }
    open ??= { hold, id, status: status === 'denied' ? 'denied' : 'pending', reason: decisionReason };
    if (++waiting === MAX_PENDING_PER_RESPONSE) break;
  }
  if (open !== null) return open;
  for (const { id } of approved) {
    // Another instance consumed this approval first.
    if (!(await deps.storage.requests.use(principal.organizationId, id)))
      return reviewCalls(deps, principal, input, holds, eventId);
  }
  return null;
}

/** Equal calls of one response are counted, so that each needs a review of its own. */
function numbered(identify: IdentifyCall): (call: CallReading) => readonly [string, ...string[]] {
  const repetitions = new Map<string, number>();
  return (call) => {
    const once = canonicalJson([call.name, call.spelling]);
    const repetition = repetitions.get(once) ?? 0;
    repetitions.set(once, repetition + 1);
    return identify(call, repetition);
  };
}
