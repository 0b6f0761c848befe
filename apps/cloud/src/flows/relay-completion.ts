import { type Texts, taintedTexts, workingData } from '@csg/shared/decision';
import { type ExtractedBody, formatOf, isStreamed } from '@csg/shared/providers';
import type { Conversation } from '@csg/shared/text';
import { chooseProvider } from '../upstream/providers.ts';
import { admitRequest } from './admit-request.ts';
import { noteTaint } from './agent/note-taint.ts';
import { withoutAnswered } from './answered-content.ts';
import type { Principal } from './authenticate-key.ts';
import { blockedError } from './blocked-error.ts';
import { completeResponse } from './complete-response.ts';
import { codeSlots } from './decision/code-slots.ts';
import { type Evaluation, evaluate } from './decision/evaluate.ts';
import { destinationOf } from './decision/find-exceptions.ts';
import { rejectLongTexts } from './decision/unscannable.ts';
import { workingSlots } from './decision/working-slots.ts';
import type { ContinuedConversation } from './evaluate-response.ts';
import { findCredential } from './find-credential.ts';
import { readFiles } from './read-files.ts';
import { readRequestHeaders } from './read-request-headers.ts';
import { inSession } from './recognize-session.ts';
import { type RelayReply, unscannedReasons } from './relay-reply.ts';
import type { RelayDependencies, RelayRequest } from './relay-request.ts';
import { rejectRepeated } from './repeated-block.ts';
import { rewriteBody } from './rewrite-body.ts';
import { streamResponse } from './streams/stream-response.ts';
import { requireKeyLimits } from './token-budget.ts';

/** Handles a model request: reads, evaluates and forwards it, evaluates and returns the response. */
export async function relayCompletion(
  deps: RelayDependencies,
  caller: Principal,
  request: RelayRequest,
  onEvaluated: (evaluation: Evaluation) => void,
): Promise<RelayReply> {
  const format = formatOf(request.endpoint);
  const reading = format.readRequestInSteps(request.value, () => request.source);
  const body = await deps.pacedTurns.run(caller, reading);
  // The model named in the address answers, whatever the body says.
  const { deployment, model = deployment ?? body.model ?? null } = request.params;
  const read = { ...body, model };
  rejectLongTexts(read.slots);
  await requireKeyLimits(deps, caller, model, request.value);
  const provider = chooseProvider(deps.providers, {
    endpoint: request.endpoint.name,
    model: read.model,
    named: headerText(request.headers['x-service-provider']),
  });
  const credential = await findCredential(deps, caller, provider, request.headers, read.model);
  const usage = await admitRequest(deps, caller, 'monthly_quota_exceeded');
  const answered = await withoutAnswered(deps, caller, provider, read);
  const principal = withSession(deps, caller, request, read, answered.session);
  const headers = readRequestHeaders(deps, principal, provider, request.headers);
  const extracted = headers.withBody(await readFiles(deps, principal, answered.body));

  const texts = {
    route: request.route,
    model: extracted.model,
    requestId: request.requestId,
    ipAddress: request.ipAddress,
  };
  const continues = continuedBy(extracted, request.value);
  const requestEvaluation = await evaluate(deps, principal, {
    recorded: { ...texts, usage },
    direction: 'input',
    texts: textsToJudge(principal, request, extracted),
    delivery: 'written',
    withholds: true,
    destination: { host: destinationOf(provider), provider: provider.name },
    place: { conversation: extracted, identity: continues },
  });
  onEvaluated(requestEvaluation);
  if (requestEvaluation.decision === 'block')
    throw blockedError(deps.links, 'request_blocked', requestEvaluation, extracted);

  const { findings } = requestEvaluation.verdict;
  await noteTaint(deps, principal, continues.sessionId, 'guard', extracted.slots, findings);
  const {
    masked,
    body: forwarded,
    withheld,
  } = requestEvaluation.decision === 'redact'
    ? await rewriteBody(deps, principal, request, extracted, requestEvaluation)
    : { masked: null, body: request.bytes, withheld: 0 };
  const forwarding = {
    ...texts,
    request: headers.written(request, requestEvaluation, extracted),
    requestEvaluation,
    format,
    provider,
    credential,
    body: forwarded,
    systemSlots: extracted.slots.filter((slot) => slot.role === 'system'),
    restores:
      masked === null ? null : { values: masked.values, secretTools: principal.settings.secret_tools },
    continues: { ...continues, tainted: taintedTexts(requestEvaluation.verdict, extracted) },
    onEvaluated,
    storeBlock: await rejectRepeated(deps, principal, request, provider, onEvaluated),
  };
  const completed = isStreamed(request.endpoint, extracted, request.query)
    ? await streamResponse(deps, principal, forwarding)
    : await completeResponse(deps, principal, forwarding);
  if ('begun' in completed) {
    return {
      status: 200,
      ...completed.begun,
      evaluation: requestEvaluation,
      withheld,
      unscanned: unscannedReasons([requestEvaluation], extracted.unscanned),
      scanMs: requestEvaluation.scanMs,
      providerMs: null,
    };
  }
  const { evaluated, decisive, providerMs } = completed;
  return {
    ...completed.outgoing,
    evaluation: decisive,
    withheld,
    unscanned: unscannedReasons(
      [requestEvaluation, evaluated.evaluation],
      [...extracted.unscanned, ...evaluated.unscanned],
    ),
    scanMs: requestEvaluation.scanMs + evaluated.evaluation.scanMs,
    providerMs,
  };
}

function textsToJudge(principal: Principal, request: RelayRequest, extracted: ExtractedBody): Texts {
  const data = workingData(request.value, extracted);
  return {
    ...{ conversation: extracted, unread: extracted.unscanned, signed: extracted.signed },
    ...{ isCode: codeSlots(request.value), reportsToolCalls: true },
    isReported: workingSlots(principal, () => data),
  };
}

function withSession(
  { storage }: Pick<RelayDependencies, 'storage'>,
  caller: Principal,
  { headers, value }: RelayRequest,
  conversation: Conversation,
  continued: string | undefined,
): Principal {
  const { sessionId: conversationId } = continuedBy(conversation, value);
  return inSession(storage, caller, { headers, conversation, conversationId, continued });
}

/** Returns the conversation of a request; messages stored by the provider are identified by the provider's ids. */
function continuedBy(request: Conversation, value: unknown): ContinuedConversation {
  const { conversation, previous_response_id: before } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const id = (conversation as { id?: unknown } | null | undefined)?.id ?? conversation;
  return {
    request,
    body: value,
    sessionId: typeof id === 'string' ? id : null,
    startsAfter: typeof before === 'string' ? before : null,
  };
}

export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
