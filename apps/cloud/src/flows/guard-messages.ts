import {
  type DeviceReading,
  type GuardRequest,
  type GuardResponse,
  type Unscanned,
  ValidationError,
} from '@csg/shared/contract';
import { listingsOf, type Texts, toldWorkingData, type Verdict, workingData } from '@csg/shared/decision';
import {
  hasCalls,
  readGuardCalls,
  readGuardRequestInSteps,
  redactedContext,
  redactedMessages,
} from '@csg/shared/providers';
import { type Conversation, done, finish, type Steps, type TextSlot } from '@csg/shared/text';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import { conversationKeys } from './agent/conversation-keys.ts';
import { noteTaint, type TaintDeps } from './agent/note-taint.ts';
import type { Principal } from './authenticate-key.ts';
import { reviewFields } from './blocked-error.ts';
import { roundMs } from './clock.ts';
import { codeSlots } from './decision/code-slots.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from './decision/evaluate.ts';
import { inConversation, type ToolCallDeps } from './decision/review-calls.ts';
import type { Subject } from './decision/subject.ts';
import { rejectLongTexts } from './decision/unscannable.ts';
import { workingSlots } from './decision/working-slots.ts';
import { engineUnavailable } from './engine-unavailable.ts';
import { type ReadFilesDeps, readFiles } from './read-files.ts';

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
  const device = principal.deviceId === null ? undefined : request.context?.device_reading;
  const { read, calls } = await readTexts(deps, principal, request, source);
  rejectLongTexts(read.slots);
  const usage = await admitRequest(deps, principal, 'quota_exceeded');
  const extracted = await readFiles(deps, principal, read);
  const { slots, unscanned, signed } = extracted;
  const identity = { sessionId: request.context?.session_id ?? null, startsAfter: null };
  const evaluation = await evaluate(deps, principal, {
    recorded: {
      ...{ route: 'guard', model: request.model ?? null, requestId, ipAddress, usage },
      host: request.destination_host,
      // Other texts are evaluated but not returned.
      ...(device === undefined && { writtenUnder: ['/messages/', '/retrieved_context/'] }),
    },
    direction: request.direction ?? 'input',
    texts: {
      ...{ conversation: extracted, unread: unscanned, signed },
      ...(device === undefined ? aboutMessages(principal, request, extracted) : told(principal, device)),
    },
    delivery: 'written',
    withholds: true,
    destination: { host: request.destination_host },
    place: { conversation: extracted, identity },
    calls: { deps, input: { ...callsOf(deps, principal, request, extracted), calls } },
  });
  const { decision, verdict } = evaluation;
  await noteTaint(deps, principal, request.context?.session_id, 'guard', slots, verdict.findings);
  const redacted =
    decision === 'redact' ? await redactedParts(deps, principal, request, slots, verdict, device) : null;
  return {
    evaluation,
    response: {
      decision,
      event_id: evaluation.eventId,
      confidence: evaluation.confidence,
      threat_type: evaluation.threatType,
      threats: [...verdict.threats],
      redacted_messages: redacted?.messages ?? null,
      ...(redacted?.context === undefined ? {} : { redacted_context: redacted.context }),
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

/** Reads what the request contains: little at once, and much in turns of the event loop. */
async function readTexts(
  { pacedTurns }: Pick<GuardMessagesDeps, 'pacedTurns'>,
  principal: Principal,
  request: GuardRequest,
  source?: () => string,
) {
  const device = principal.deviceId === null ? undefined : request.context?.device_reading;
  return await pacedTurns.run(
    principal,
    (function* () {
      const read = yield* readGuardRequestInSteps(request, source, device);
      return { read, calls: yield* readGuardCalls(request) };
    })(),
  );
}

type TextFacts = Pick<Texts, 'isCode' | 'isReported' | 'reportsToolCalls'>;

function aboutMessages(principal: Principal, request: GuardRequest, read: Conversation): TextFacts {
  const data = workingData(request, read, true);
  return { isCode: codeSlots(request), isReported: workingSlots(principal, () => data) };
}

/** What a device has told of the texts: it reads the whole body, and sends what is new of it. */
function told(principal: Principal, device: DeviceReading): TextFacts {
  const code = new Set(device.texts.flatMap(({ path, is_code }) => (is_code === true ? [path] : [])));
  return {
    isCode: ({ path }) => done(code.has(path)),
    isReported: workingSlots(principal, toldWorkingData(device)),
    reportsToolCalls: true,
  };
}

type Redacted = {
  readonly messages: GuardResponse['redacted_messages'];
  readonly context: GuardResponse['redacted_context'];
};

/** Rewrites few texts at once, and many in turns of the event loop. */
async function redactedParts(
  { pacedTurns }: Pick<GuardMessagesDeps, 'pacedTurns'>,
  principal: Principal,
  request: GuardRequest,
  slots: readonly TextSlot[],
  { replacements }: Verdict,
  device: DeviceReading | undefined,
): Promise<Redacted> {
  function* work(): Steps<Redacted> {
    const { retrieved_context: passages } = request;
    const messages = yield* redactedMessages(request, slots, replacements, device);
    const context = passages && (yield* redactedContext(passages, slots, replacements));
    return { messages, context };
  }
  const length = slots.reduce((sum, { text }) => sum + text.length, 0);
  return length < LARGE_CHARACTERS ? finish(work()) : await pacedTurns.run(principal, work());
}

const LARGE_CHARACTERS = 16_384;

/** The tool calls in the request. The project's lists apply only to devices, which proxy the calls. */
function callsOf(
  { clock }: Pick<GuardMessagesDeps, 'clock'>,
  principal: Principal,
  request: GuardRequest,
  conversation: Conversation,
): Omit<NonNullable<Subject['calls']>['input'], 'calls'> {
  const sessionId = request.context?.session_id ?? null;
  return {
    subject: 'response',
    listing: principal.deviceId === null ? null : listingsOf,
    history: { conversation, body: request },
    policyContext: { host: request.destination_host, model: request.model, atMs: clock.now() },
    agentId: request.context?.agent_id ?? 'guard',
    sessionId,
    identify: inConversation(principal.projectId, () =>
      conversationKeys(conversation, principal.actor, sessionId),
    ),
  };
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
