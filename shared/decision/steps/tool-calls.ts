import type { Hold } from '../calls.ts';
import type { Facts, Question } from '../facts.ts';
import { holdsOf, threatsOfCalls } from '../held-calls.ts';
import { taintedTexts } from '../tainted-texts.ts';
import { tighten, type Verdict } from '../verdict.ts';

/** Reason for a call that needs approval and cannot get it. */
const INCOMPARABLE =
  'The call needs approval, but a number in its arguments has too many digits to compare it with an approval.';
/** Reasons other than that of the hold. */
const REASONS = {
  pending: null,
  denied: 'It calls a tool with arguments that a person denied.',
  not_queued:
    'It calls a tool that needs approval, and too many calls wait. Have some of them decided, then send the request again.',
} as const;

/**
 * Lists, policies for tool calls, flow control and the agent's session decide about calls that are about to be made. A
 * call that needs approval blocks until a person has approved exactly this call; nothing else lifts it.
 */
export function toolCalls(verdict: Verdict, { calls, answers, texts }: Facts): Verdict | Question {
  if (calls === null || calls.calls.length === 0) return verdict;
  const { toolLists, traces } = answers;
  if (toolLists === undefined) return { ask: 'toolLists' };
  if (traces === undefined) return { ask: 'traces', tainted: taintedTexts(verdict, texts.conversation) };
  const { flows, policyFlows } = traces;
  const holds = holdsOf(calls, toolLists, traces);
  const traced: Verdict = {
    ...{ ...verdict, ofTexts: verdict },
    ...(flows.length > 0 && { flows }),
    ...(policyFlows.length > 0 && { policyFlows }),
    ...(holds.length > 0 && { holds }),
  };
  if (verdict.decision === 'block') return traced;
  const decided = decideHolds(traced, holds, answers);
  if ('ask' in decided || decided.decision === 'block') return decided;
  return { ...decided, threats: [...decided.threats, ...threatsOfCalls(traces, holds)] };
}

/** A block decides at once; else every call that needs a review has to be approved. */
function decideHolds(
  verdict: Verdict,
  holds: readonly Hold[],
  { review }: Facts['answers'],
): Verdict | Question {
  const [first] = holds;
  if (first?.action === 'block') return blockedBy(verdict, first, first.reason);
  const waiting = firstOfCalls(holds.filter(({ action }) => action === 'review'));
  const incomparable = waiting.find(({ call }) => call.spelling === null);
  if (incomparable !== undefined) return blockedBy(verdict, incomparable, INCOMPARABLE);
  if (waiting.length === 0) return verdict;
  if (review === undefined) return { ask: 'review', holds: waiting };
  if (review === null) return verdict;
  const { hold, id, status, reason } = review;
  const isDenied = status === 'denied';
  return {
    ...blockedBy(verdict, hold, REASONS[status] ?? hold.reason),
    review: { id, isRequired: !isDenied, deniedBecause: reason },
  };
}

/** One reason for each call. */
function firstOfCalls(holds: readonly Hold[]): readonly Hold[] {
  const first = new Map<Hold['call'], Hold>();
  for (const hold of holds) if (!first.has(hold.call)) first.set(hold.call, hold);
  return [...first.values()];
}

function blockedBy(verdict: Verdict, { threatType: type, decidedBy: by }: Hold, reason: string): Verdict {
  return tighten(verdict, { decision: 'block', type, reason, by });
}
