import { setTimeout } from 'node:timers/promises';
import { errorEnvelope } from '@csg/shared/contract';
import { providerError } from '../../upstream/provider-error.ts';
import type { UpstreamResponse } from '../../upstream/send.ts';
import type { Principal } from '../authenticate-key.ts';
import { blockedStream } from '../blocked-error.ts';
import type { CompletedResponse, RequestToForward } from '../complete-response.ts';
import { evaluateResponse } from '../evaluate-response.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { LATE, settledWithin } from './settled-within.ts';
import { verdictComment } from './verdict-comment.ts';

/** What of a response can leave before the whole was evaluated. */
export interface Pieces {
  /** What can leave now and did not yet; null: nothing. */
  take(): Buffer | null;
  /** Resolves when more can leave, or `wake` was called. */
  more(): Promise<void>;
  wake(): void;
  readonly hasLeft: boolean;
  /** What of the whole body has not left. */
  restOf(body: Buffer | string): Buffer;
  /** All that has left. */
  left(): Buffer;
  readonly headers: UpstreamResponse['headers'];
}

/** Shorter than what any proxy on the way waits for. */
const COMMENT_EVERY_MS = 15_000;
/** What arrives so soon after a piece leaves with the next one: each is a packet. */
const GATHER_MS = 4;
const WAITING = ': waiting\n\n';

/**
 * The body of a stream whose head was sent: what of the response can leave, comments while nothing can, and at the end
 * what the verdict on the whole leaves of it. The event and its audit row are committed before the last byte; a
 * stream that ends early leaves a record of what had left.
 */
export async function* streamBody(
  deps: RelayDependencies,
  principal: Principal,
  forwarding: RequestToForward,
  response: Promise<CompletedResponse>,
  pieces: Pieces | null,
): AsyncGenerator<string | Buffer> {
  const { format, provider, request } = forwarding;
  const outcome = watch(response, pieces);
  try {
    for (;;) {
      const piece = pieces?.take() ?? null;
      if (piece !== null) {
        yield piece;
        await setTimeout(GATHER_MS);
      } else if (outcome.isSettled) break;
      else if ((await settledWithin(deps.timers, COMMENT_EVERY_MS, outcome.next())) === LATE) yield WAITING;
    }
    const { outgoing, evaluated } = await response;
    if (!evaluated.streamed) throw providerError(provider, 'malformed_stream');
    request.onStreamVerdict(evaluated.evaluation);
    if (evaluated.evaluation.decision === 'block') {
      yield blockedStream(format, evaluated.evaluation, pieces?.left().toString() ?? '');
      return;
    }
    yield pieces?.restOf(outgoing.body) ?? outgoing.body;
    if (!endsFrame(outgoing.body)) yield '\n\n';
    yield verdictComment(evaluated.evaluation);
  } catch (cause) {
    const error = request.onStreamFailure(cause);
    yield format.streamErrorOf({ status: error.status, error: errorEnvelope(error).error });
  } finally {
    if (pieces?.hasLeft === true) await recordIfBroken(deps, principal, forwarding, response, pieces);
  }
}

/** Whether the response is there, and a promise for that or for more of it; one handler on it, however often it is asked for. */
function watch(response: Promise<CompletedResponse>, pieces: Pieces | null) {
  const settled = Promise.withResolvers<void>();
  const outcome = {
    isSettled: false,
    next: (): Promise<void> => pieces?.more() ?? settled.promise,
  };
  const settle = (): void => {
    outcome.isSettled = true;
    settled.resolve();
    pieces?.wake();
  };
  response.then(settle, settle);
  return outcome;
}

/** The response was not evaluated, because it broke off or its client left: what has left is evaluated and recorded. */
async function recordIfBroken(
  deps: RelayDependencies,
  principal: Principal,
  {
    request,
    requestEvaluation,
    credential,
    body,
    onEvaluated,
    observer,
    keepBlock,
    ...texts
  }: RequestToForward,
  response: Promise<CompletedResponse>,
  pieces: Pieces,
): Promise<void> {
  const isEvaluated = await response.then(
    () => true,
    () => false,
  );
  if (isEvaluated) return;
  const released = {
    status: 200,
    headers: pieces.headers,
    kind: 'event-stream',
    body: pieces.left(),
  } as const;
  try {
    await evaluateResponse(deps, principal, { ...texts, response: released });
  } catch (cause) {
    deps.log.error(
      { err: cause, request_id: request.requestId },
      'a response that broke off was not recorded',
    );
  }
}

/** Whether a comment can follow without becoming a part of the last frame. */
function endsFrame(body: Buffer | string): boolean {
  const end = body.slice(-4).toString();
  return end.endsWith('\n\n') || end.endsWith('\r\n\r\n') || end.endsWith('\r\r');
}
