import type { GuardRequest, GuardResponse } from '@csg/shared/contract';
import { EMPTY_VERDICT } from '@csg/shared/decision';
import { readToolCalls, type ToolCall } from '@csg/shared/providers';
import { blockOf } from './block-reply.ts';
import { type Action, decideVerdict } from './decide-exchange.ts';
import type { GuardOutcome } from './device-policy.ts';
import type { EvaluationTools, InspectedRequest } from './evaluate-reading.ts';
import { type HeldCall, heldCalls } from './held-calls.ts';
import type { RequestReading } from './request-reading.ts';
import { sessionIdOf } from './session-id-of.ts';

type Held = {
  readonly isUnanswered: boolean;
  /** Additional members of the block reply. */
  readonly fields?: Readonly<Record<string, unknown>>;
} & Extract<Action, { kind: 'forward' | 'block' }>;

/**
 * Evaluates the calls of a response by the project's lists and its flow control; null: nothing is held. Only the
 * service knows whether a reviewer approved a call; without it the call is blocked.
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
  const outcome = first.isReviewed ? await requestReview(request, prompt, held, tools) : null;
  if (outcome?.kind === 'verdict' && approves(outcome.response, held)) return null;
  const isUnanswered = outcome?.kind === 'no-answer';
  const action = decideHeld(request, prompt, first, tools);
  if (action.kind !== 'block' || prompt.format === null)
    return action.kind === 'redact' ? null : { ...action, isUnanswered };
  const fields = reviewFields(outcome);
  const block = { ...blockOf(request.compiled.policy, 'output', action.event), fields };
  return { ...action, reply: prompt.format.rejectionOf(block), fields, isUnanswered };
}

/** Requests the service's verdict on the calls; null: there is no service. */
async function requestReview(
  request: InspectedRequest,
  prompt: RequestReading,
  held: readonly HeldCall[],
  { access }: EvaluationTools,
): Promise<GuardOutcome | null> {
  if (access === null) return null;
  return access.guard(await reviewQuestion(request, prompt, held), access.deadlineMs);
}

/** Members with which the client can wait for a review. */
function reviewFields(outcome: GuardOutcome | null): Readonly<Record<string, unknown>> {
  if (outcome?.kind !== 'verdict' || outcome.response.review_id === undefined) return {};
  const { review_required, review_id } = outcome.response;
  return { review_required, review_id };
}

/** Returns the decision on a held call under the policy. */
export function decideHeld(
  { compiled, host, path, method }: InspectedRequest,
  prompt: RequestReading,
  { threatType }: HeldCall,
  tools: Pick<EvaluationTools, 'now' | 'newEventId'>,
): Action {
  const verdict = { ...EMPTY_VERDICT, decision: 'block', threatType, confidence: 1 } as const;
  return decideVerdict(
    compiled,
    { verdict, exceptionId: null },
    {
      ...{ host, path, method, direction: 'output' },
      reading: { ...prompt, slots: [], problem: null, isAmbiguous: false },
      ...{ nowMs: tools.now(), newEventId: tools.newEventId() },
    },
  );
}

/**
 * Returns whether the service allows the calls although it found why they were held here: an approved call is still
 * reported as a threat. A threat that it did not find was not approved.
 */
function approves({ decision, threats }: GuardResponse, held: readonly HeldCall[]): boolean {
  const types = new Set<string>(threats.map(({ type }) => type));
  return decision !== 'block' && held.every(({ found }) => found.every((type) => types.has(type)));
}

/**
 * Builds a request with the held calls, the texts that their values come from, and the names of earlier tools, so that
 * the service sees the same as the device.
 */
async function reviewQuestion(
  { host }: InspectedRequest,
  prompt: RequestReading,
  held: readonly HeldCall[],
): Promise<GuardRequest> {
  const sources = new Map(held.flatMap((one) => one.sources.map(({ path, tool }) => [path, tool] as const)));
  const texts = prompt.slots.filter(({ path }) => sources.has(path));
  const earlier = readToolCalls(prompt.value);
  const idOf = (tool: string | null): { tool_call_id?: string } => {
    const index = earlier.findIndex(({ name }) => name === tool);
    return index === -1 ? {} : { tool_call_id: idAt(index) };
  };
  return {
    messages: [
      { role: 'tool', content: '' },
      ...(earlier.length === 0
        ? []
        : [{ role: 'assistant' as const, content: null, tool_calls: earlier.map(calledBefore) }]),
      ...texts.map(({ text, path }) => ({
        ...{ role: 'tool' as const, content: text },
        ...idOf(sources.get(path) ?? null),
      })),
    ],
    destination_host: host,
    ...(prompt.model !== null && { model: prompt.model }),
    context: {
      session_id: await sessionIdOf(prompt.messages),
      tool_calls: held.map(({ call }) => ({ name: call.name, args: call.arguments })),
    },
  };
}

const idAt = (index: number): string => `call_${index}`;

/** Only the name: the arguments were evaluated when the call was made. */
const calledBefore = ({ name }: ToolCall, index: number): Record<string, unknown> => ({
  ...{ id: idAt(index), type: 'function', function: { name, arguments: '{}' } },
});
