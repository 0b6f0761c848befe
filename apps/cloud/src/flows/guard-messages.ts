import { type GuardRequest, type GuardResponse, type Unscanned, ValidationError } from '@csg/shared/contract';
import {
  hasCalls,
  readGuardCalls,
  readGuardRequest,
  redactedContext,
  redactedMessages,
} from '@csg/shared/providers';
import type { Conversation } from '@csg/shared/text';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import { conversationKeys } from './agent/conversation-keys.ts';
import { evaluateToolCalls, type ToolCallDeps } from './agent/evaluate-tool-calls.ts';
import { noteTaint, type TaintDeps } from './agent/note-taint.ts';
import type { ExceptedVerdict } from './approvals/apply-exceptions.ts';
import type { Principal } from './authenticate-key.ts';
import { reviewFields } from './blocked-error.ts';
import { roundMs } from './clock.ts';
import { engineUnavailable } from './engine-unavailable.ts';
import { type EvaluateDeps, type Evaluation, evaluateTexts, type TextsToEvaluate } from './evaluate-texts.ts';
import { type ReadFilesDeps, readFiles } from './read-files.ts';
import { rejectLongTexts } from './unscannable.ts';

export interface GuardMessagesDeps extends AdmitDeps, EvaluateDeps, TaintDeps, ReadFilesDeps, ToolCallDeps {
  readonly storage: AdmitDeps['storage'] &
    EvaluateDeps['storage'] &
    TaintDeps['storage'] &
    ToolCallDeps['storage'];
}

/** Evaluates structured messages without calling a model. `source` is the request as JSON. */
export async function guardMessages(
  deps: GuardMessagesDeps,
  principal: Principal,
  request: GuardRequest,
  requestId: string,
  ipAddress?: string,
  source?: () => string,
): Promise<{ response: GuardResponse; evaluation: Evaluation }> {
  const startedMs = deps.clock.elapsed();
  requireContent(request);
  const read = readGuardRequest(request, source);
  rejectLongTexts(read.slots);
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  const extracted = await readFiles(deps, principal, read);
  const { slots, unscanned } = extracted;
  const texts: TextsToEvaluate = {
    conversation: extracted,
    unscanned,
    direction: request.direction ?? 'input',
    route: 'guard',
    model: request.model ?? null,
    requestId,
    ipAddress,
    usage,
    destinationHost: request.destination_host,
    // Other texts are evaluated but not returned.
    writtenUnder: ['/messages/', '/retrieved_context/'],
    withholds: true,
    identity: { sessionId: request.context?.session_id ?? null, startsAfter: null },
    body: request,
  };
  const evaluation = await evaluateTexts(deps, principal, texts, (verdict, eventId) =>
    evaluateGuardCalls(deps, principal, request, extracted, { verdict, eventId }),
  );
  const { decision, verdict } = evaluation;
  await noteTaint(deps, principal, request.context?.session_id, 'guard', slots, verdict.findings);
  return {
    evaluation,
    response: {
      decision,
      event_id: evaluation.eventId,
      confidence: evaluation.confidence,
      threat_type: evaluation.threatType,
      threats: [...verdict.threats],
      redacted_messages:
        decision === 'redact' ? redactedMessages(request, slots, verdict.replacements) : null,
      ...(decision === 'redact' && request.retrieved_context !== undefined
        ? { redacted_context: redactedContext(request.retrieved_context, slots, verdict.replacements) }
        : {}),
      unscanned: [
        ...unscanned.map(listed),
        ...(evaluation.isUnscanned ? engineUnavailable(request.messages.length) : []),
      ],
      ...(verdict.exceptionIds === undefined ? {} : { exception_ids: [...verdict.exceptionIds] }),
      ...reviewFields(evaluation),
      latency_ms: roundMs(deps.clock.elapsed() - startedMs),
    },
  };
}

/** Evaluates the tool calls in the request. The project's lists apply only to devices, which proxy the calls. */
function evaluateGuardCalls(
  deps: GuardMessagesDeps,
  principal: Principal,
  request: GuardRequest,
  conversation: Conversation,
  { verdict, eventId }: { readonly verdict: ExceptedVerdict; readonly eventId: string },
): Promise<ExceptedVerdict> {
  const sessionId = request.context?.session_id ?? null;
  const input = {
    calls: readGuardCalls(request),
    conversation: () => conversationKeys(conversation, principal.actor, sessionId),
    history: { conversation, body: request },
    policyContext: { host: request.destination_host, model: request.model, atMs: deps.clock.now() },
    isListed: principal.deviceId !== null,
    agentId: request.context?.agent_id ?? 'guard',
    sessionId,
    eventId,
  };
  return evaluateToolCalls(deps, principal, input, verdict);
}

/** Returns the public fields of an unscanned part. */
function listed({ index, reason, detail }: Unscanned): Unscanned {
  return { index, reason, detail };
}

/** Rejects messages with neither content nor tool calls: a client error in which nothing would be scanned. */
function requireContent({ messages }: GuardRequest): void {
  const missing = messages.findIndex((message) => (message.content ?? null) === null && !hasCalls(message));
  if (missing === -1) return;
  const msg = 'Field required; it may be null only in a message that has tool_calls';
  throw new ValidationError([{ loc: ['body', 'messages', missing, 'content'], msg, type: 'missing' }]);
}
