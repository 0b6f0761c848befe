import type { IncomingHttpHeaders } from 'node:http';
import { STRICTNESS } from '@csg/shared/contract';
import { WITHHELD } from '@csg/shared/detection';
import {
  countWritten,
  type Endpoint,
  type ExtractedBody,
  formatOf,
  isWritable,
  replacementsByPath,
  writeTexts,
} from '@csg/shared/providers';
import type { Conversation, Replacement, TextSlot } from '@csg/shared/text';
import type { Storage } from '../storage/storage.ts';
import type { PathParams } from '../upstream/path-params.ts';
import { chooseProvider, type Provider } from '../upstream/providers.ts';
import type { Upstream } from '../upstream/send.ts';
import { type AdmitDeps, admitRequest } from './admit-request.ts';
import { destinationOf } from './approvals/apply-exceptions.ts';
import type { Principal } from './authenticate-key.ts';
import { blockedError } from './blocked-error.ts';
import { type ContinuedConversation, evaluateResponse, type ResponseDeps } from './evaluate-response.ts';
import { type Evaluation, evaluateTexts } from './evaluate-texts.ts';
import { findCredential } from './find-credential.ts';
import { readFiles } from './read-files.ts';
import { outgoing, type RelayReply, unscannedReasons } from './relay-reply.ts';
import { rejectLongTexts } from './unscannable.ts';

export interface RelayDependencies extends AdmitDeps, ResponseDeps {
  readonly storage: AdmitDeps['storage'] & ResponseDeps['storage'] & Pick<Storage, 'projects'>;
  readonly providers: readonly Provider[];
  readonly upstream: Pick<Upstream, 'send'>;
}

export interface RelayRequest {
  readonly endpoint: Endpoint;
  /** Of the endpoint's path. */
  readonly params: PathParams;
  readonly route: string;
  readonly query: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly source: string;
  readonly value: unknown;
  readonly requestId: string;
  readonly ipAddress?: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** A model request, start to end: read, judge, forward what was sent, judge the answer, hand it back as it came. */
export async function relayCompletion(
  deps: RelayDependencies,
  principal: Principal,
  request: RelayRequest,
  onEvaluated: (evaluation: Evaluation) => void,
): Promise<RelayReply> {
  const format = formatOf(request.endpoint);
  const body = format.readRequest(request.value, () => request.source);
  const { model = body.model ?? request.params['deployment'] ?? null } = request.params;
  const read = { ...body, model };
  rejectLongTexts(read.slots);
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
  const destinationHost = destinationOf(provider);
  const requestEvaluation = await evaluateTexts(deps, principal, {
    ...texts,
    conversation: extracted,
    unscanned: extracted.unscanned,
    direction: 'input',
    destinationHost,
    provider: provider.name,
    usage,
    writtenUnder: [''],
    withholds: true,
    reportsToolCalls: true,
  });
  onEvaluated(requestEvaluation);
  if (requestEvaluation.decision === 'block')
    throw blockedError(deps.links, 'request_blocked', requestEvaluation, extracted);

  const sentMs = deps.clock.elapsed();
  const response = await deps.upstream.send({
    provider,
    endpoint: request.endpoint,
    params: request.params,
    query: request.query,
    headers: request.headers,
    body:
      requestEvaluation.decision === 'redact'
        ? redactedBody(request.source, extracted, requestEvaluation)
        : request.bytes,
    credential,
    requestId: request.requestId,
    signal: request.signal,
  });
  const providerMs = deps.clock.elapsed() - sentMs;
  const responseEvaluation = await evaluateResponse(deps, principal, {
    ...texts,
    format,
    provider,
    response,
    systemSlots: extracted.slots.filter((slot) => slot.role === 'system'),
    continues: continuedBy(extracted, request.value),
  });
  const decisive = stricter(requestEvaluation, responseEvaluation.evaluation);
  onEvaluated(decisive);
  return {
    ...outgoing(deps.links, format, response, responseEvaluation),
    evaluation: decisive,
    withheld: countWithheld(extracted.slots, requestEvaluation),
    unscanned: unscannedReasons(
      [requestEvaluation, responseEvaluation.evaluation],
      [...extracted.unscanned, ...responseEvaluation.unscanned],
    ),
    scanMs: requestEvaluation.scanMs + responseEvaluation.evaluation.scanMs,
    providerMs,
  };
}

/** The conversation of a request; what stands with the provider is known by the provider's ids. */
function continuedBy(request: Conversation, value: unknown): ContinuedConversation {
  const { conversation, previous_response_id: before } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const id = (conversation as { id?: unknown } | null | undefined)?.id ?? conversation;
  return {
    request,
    sessionId: typeof id === 'string' ? id : null,
    startsAfter: typeof before === 'string' ? before : null,
  };
}

/** Only the string literals concerned change; every other byte stays as it was written. */
function redactedBody(source: string, extracted: ExtractedBody, evaluation: Evaluation): Buffer {
  const replacements = replacementsByPath(extracted.slots, evaluation.verdict.replacements);
  for (const path of replacements.keys()) {
    // Better no answer than a request that goes out with what was to be masked.
    if (!isWritable({ path })) throw new Error(`a redaction at ${path} has no place to be written to`);
  }
  return Buffer.from(writeTexts(source, replacements));
}

/** How many passages were withheld, also in texts that are encoded. */
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

function stricter(requestEvaluation: Evaluation, responseEvaluation: Evaluation): Evaluation {
  return STRICTNESS[responseEvaluation.decision] > STRICTNESS[requestEvaluation.decision]
    ? responseEvaluation
    : requestEvaluation;
}

export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
