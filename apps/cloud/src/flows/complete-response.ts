import { CodedError, STRICTNESS } from '@csg/shared/contract';
import type { Pace } from '@csg/shared/text';
import type { ProviderCall } from '../storage/storage.ts';
import type { ResponseObserver } from '../upstream/gather-response.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { keepAnswered } from './answered-content.ts';
import type { Principal } from './authenticate-key.ts';
import type { Evaluation } from './decision/evaluate.ts';
import { keepSigned } from './decision/signed-blocks.ts';
import {
  decodeResponse,
  type EvaluatedResponse,
  evaluateResponse,
  type ResponseBody,
  type ResponseToEvaluate,
} from './evaluate-response.ts';
import { type OutgoingResponse, outgoing } from './relay-reply.ts';
import type { RelayDependencies, RelayRequest } from './relay-request.ts';
import type { StoreBlock } from './repeated-block.ts';
import { readTokens, reserveTokens } from './token-budget.ts';

export interface RequestToForward extends Omit<ResponseToEvaluate, 'response'> {
  readonly request: RelayRequest;
  readonly requestEvaluation: Evaluation;
  readonly credential: string;
  /** The request body as sent to the provider. */
  readonly body: Buffer;
  readonly onEvaluated: (evaluation: Evaluation) => void;
  readonly storeBlock?: StoreBlock | undefined;
  /** Observes the response while it is buffered. */
  readonly observer?: ResponseObserver | undefined;
}

/** A response that was evaluated as a whole, and how it is sent. */
export interface CompletedResponse {
  readonly outgoing: OutgoingResponse;
  readonly evaluated: EvaluatedResponse;
  /** The evaluation of the response if it is stricter, else that of the prompt. */
  readonly decisive: Evaluation;
  readonly providerMs: number;
}

/** Second half of a model request: forwards it, evaluates the whole response and returns it unchanged if allowed. */
export async function completeResponse(
  deps: RelayDependencies,
  principal: Principal,
  forwarding: RequestToForward,
): Promise<CompletedResponse> {
  const { request, requestEvaluation, provider, format } = forwarding;
  const reservation = await reserveTokens(deps, principal, {
    endpoint: request.endpoint,
    slots: forwarding.continues?.request.slots ?? [],
    body: request.value,
  });
  const pace: Pace = (work) => deps.pacedTurns.run(principal, work);
  const sentMs = deps.clock.elapsed();
  const sending = deps.upstream.send({
    provider,
    endpoint: request.endpoint,
    params: request.params,
    query: request.query,
    headers: request.headers,
    body: forwarding.body,
    credential: forwarding.credential,
    requestId: request.requestId,
    signal: request.signal,
    observer: forwarding.observer,
    pace,
  });
  const response = await sending.catch(async (error: unknown) => {
    const ms = deps.clock.elapsed() - sentMs;
    // If the client left, the provider may have generated an unknown number of tokens.
    if (!request.signal.aborted) await reservation?.release();
    await deps.meter.called(principal, { isError: true, ms, tokens: null });
    throw error;
  });
  const providerMs = deps.clock.elapsed() - sentMs;
  const decoded = await decodeResponse(deps, principal, response);
  const call = await callOf(response, providerMs, decoded, pace);
  const evaluated = await settleAndEvaluate().catch(async (error: unknown) => {
    // A scan that failed closed was already recorded, including the call.
    const isRecorded = error instanceof CodedError && error.code === 'detection_unavailable';
    if (!isRecorded) await deps.meter.called(principal, call);
    throw error;
  });
  if (evaluated.rejection === null) {
    await forwarding.storeBlock?.(evaluated.evaluation);
    const { decision, isUnscanned } = evaluated.evaluation;
    if (decision !== 'block') await keepSigned(deps, principal, evaluated.signed);
    if (decision !== 'block' && !isUnscanned) await keepAnswered(deps, principal, forwarding, decoded);
  }
  const decisive = stricter(requestEvaluation, evaluated.evaluation);
  forwarding.onEvaluated(decisive);
  const reply = await outgoing(deps.links, format, response, evaluated);
  return { outgoing: reply, evaluated, decisive, providerMs };

  async function settleAndEvaluate(): Promise<EvaluatedResponse> {
    await reservation?.settle(response, call.tokens, pace);
    return evaluateResponse(deps, principal, { ...forwarding, response, decoded, call });
  }
}

async function callOf(
  response: UpstreamResponse,
  ms: number,
  body: ResponseBody,
  pace: Pace,
): Promise<ProviderCall> {
  const isError = response.status < 200 || response.status > 299;
  return { isError, ms, tokens: isError ? null : await readTokens(response, body, pace) };
}

function stricter(requestEvaluation: Evaluation, responseEvaluation: Evaluation): Evaluation {
  return STRICTNESS[responseEvaluation.decision] > STRICTNESS[requestEvaluation.decision]
    ? responseEvaluation
    : requestEvaluation;
}
