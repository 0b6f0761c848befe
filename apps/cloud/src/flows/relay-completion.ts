import { WITHHELD } from '@csg/shared/detection';
import {
  countWritten,
  type ExtractedBody,
  formatOf,
  isStreamed,
  isWritable,
  replacementsByPath,
  writeTexts,
} from '@csg/shared/providers';
import { type RoundTrip, roundTrip } from '@csg/shared/streaming';
import type { Conversation, Replacement, TextSlot } from '@csg/shared/text';
import { chooseProvider } from '../upstream/providers.ts';
import { admitRequest } from './admit-request.ts';
import { noteTaint } from './agent/note-taint.ts';
import type { Principal } from './authenticate-key.ts';
import { blockedError } from './blocked-error.ts';
import { completeResponse } from './complete-response.ts';
import { codeSlots } from './decision/code-slots.ts';
import { type Evaluation, evaluate } from './decision/evaluate.ts';
import { destinationOf } from './decision/find-exceptions.ts';
import { rejectLongTexts } from './decision/unscannable.ts';
import type { ContinuedConversation } from './evaluate-response.ts';
import { findCredential } from './find-credential.ts';
import { readFiles } from './read-files.ts';
import { type RelayReply, unscannedReasons } from './relay-reply.ts';
import type { RelayDependencies, RelayRequest } from './relay-request.ts';
import { rejectRepeated } from './repeated-block.ts';
import { streamResponse } from './streams/stream-response.ts';
import { requireKeyLimits } from './token-budget.ts';

/** Handles a model request: reads, evaluates and forwards it, evaluates and returns the response. */
export async function relayCompletion(
  deps: RelayDependencies,
  principal: Principal,
  request: RelayRequest,
  onEvaluated: (evaluation: Evaluation) => void,
): Promise<RelayReply> {
  const format = formatOf(request.endpoint);
  const body = format.readRequest(request.value, () => request.source);
  // The model named in the address answers, whatever the body says.
  const { deployment, model = deployment ?? body.model ?? null } = request.params;
  const read = { ...body, model };
  rejectLongTexts(read.slots);
  await requireKeyLimits(deps, principal, model);
  const provider = chooseProvider(deps.providers, {
    endpoint: request.endpoint.name,
    model: read.model,
    named: headerText(request.headers['x-service-provider']),
  });
  const credential = await findCredential(deps, principal, provider, request.headers, read.model);
  const usage = await admitRequest(deps, principal, 'monthly_quota_exceeded');
  const extracted = await readFiles(deps, principal, read);

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
    texts: {
      ...{ conversation: extracted, unread: extracted.unscanned, isCode: codeSlots(request.value) },
      reportsToolCalls: true,
    },
    delivery: 'written',
    withholds: true,
    destination: { host: destinationOf(provider), provider: provider.name },
    place: { conversation: extracted, identity: continues },
  });
  onEvaluated(requestEvaluation);
  if (requestEvaluation.decision === 'block')
    throw blockedError(deps.links, 'request_blocked', requestEvaluation, extracted);

  const { replacements, findings } = requestEvaluation.verdict;
  await noteTaint(deps, principal, continues.sessionId, 'guard', extracted.slots, findings);
  const masked = roundTripOf(deps, principal, extracted.slots, replacements);
  const forwarding = {
    ...texts,
    request,
    requestEvaluation,
    format,
    provider,
    credential,
    body:
      requestEvaluation.decision === 'redact'
        ? redactedBody(request.source, extracted, masked?.replacements ?? replacements)
        : request.bytes,
    systemSlots: extracted.slots.filter((slot) => slot.role === 'system'),
    restores:
      masked === null ? null : { values: masked.values, secretTools: principal.settings.secret_tools },
    continues,
    onEvaluated,
    storeBlock: await rejectRepeated(deps, principal, request, provider, onEvaluated),
  };
  const withheld = countWithheld(extracted.slots, requestEvaluation);
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

/** Returns the round trip of a request if the project enables it. */
function roundTripOf(
  { storage }: Pick<RelayDependencies, 'storage'>,
  { settings, projectId }: Principal,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RoundTrip | null {
  if (settings.masking !== 'round_trip' || projectId === null) return null;
  return roundTrip(storage.projects.maskDigests(projectId), slots, replacements);
}

/** Changes only the affected string literals; all other bytes stay the same. */
function redactedBody(
  source: string,
  extracted: ExtractedBody,
  bySlot: ReadonlyMap<number, readonly Replacement[]>,
): Buffer {
  const replacements = replacementsByPath(extracted.slots, bySlot);
  for (const path of replacements.keys()) {
    // Failing is better than forwarding a request with unmasked data.
    if (!isWritable({ path })) throw new Error(`a redaction at ${path} has no place to be written to`);
  }
  return Buffer.from(writeTexts(source, replacements));
}

/** Counts the withheld passages, including those in encoded texts. */
function countWithheld(slots: readonly TextSlot[], { decision, verdict }: Evaluation): number {
  if (decision !== 'redact') return 0;
  const withheld = new Map<number, readonly Replacement[]>();
  for (const [slot, list] of verdict.replacements)
    withheld.set(
      slot,
      list.filter(({ text }) => text === WITHHELD),
    );
  return countWritten(slots, withheld);
}

export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
