import { errorEnvelope } from '@csg/shared/contract';
import { EVENT_STREAM } from '@csg/shared/providers';
import { providerError } from '../../upstream/provider-error.ts';
import type { UpstreamResponse } from '../../upstream/send.ts';
import { streamEnd } from '../../upstream/stream-text.ts';
import type { Principal } from '../authenticate-key.ts';
import { blockedStream } from '../blocked-error.ts';
import type { Timers } from '../clock.ts';
import type { CompletedResponse, RequestToForward } from '../complete-response.ts';
import type { Evaluation } from '../decision/evaluate.ts';
import { evaluateResponse } from '../evaluate-response.ts';
import type { RelayDependencies } from '../relay-request.ts';

/** Parts of a response that can be sent before the whole is evaluated. */
export interface Pieces {
  /** Returns what can be sent now; null if nothing. `isLast`: includes data that waits for more to follow. */
  take(isLast?: boolean): Buffer | null;
  /** Resolves when more can be sent, or `wake` was called. */
  more(): Promise<void>;
  wake(): void;
  /** True while more may become known to be sendable. */
  readonly isReading: boolean;
  readonly hasReleased: boolean;
  /** Returns the part of the whole body that was not sent yet. */
  restOf(body: Buffer | string): Buffer;
  /** Everything that was sent. */
  released(): Buffer;
  readonly headers: UpstreamResponse['headers'];
}

/** Shorter than the idle timeouts of proxies on the way. */
const COMMENT_EVERY_MS = 15_000;
const WAITING = ': waiting\n\n';

/**
 * Returns the body of a stream whose head was sent: the parts of the response that can be sent, comments in the
 * meantime, and at the end what the verdict on the whole response allows. The event and its audit row are committed
 * before the last byte; if a stream ends early, the part that was sent is recorded.
 */
export async function* streamBody(
  deps: RelayDependencies,
  principal: Principal,
  forwarding: RequestToForward,
  response: Promise<CompletedResponse>,
  pieces: Pieces | null,
): AsyncGenerator<string | Buffer> {
  const { format, request } = forwarding;
  const outcome = watch(deps.timers, response, pieces);
  try {
    for (;;) {
      const piece = pieces?.take(outcome.isSettled) ?? null;
      if (piece !== null) {
        outcome.isQuiet = false;
        yield piece;
      } else if (outcome.isSettled && pieces?.isReading !== true) break;
      else if ((await outcome.next()) && hasComments(forwarding)) yield WAITING;
    }
    yield* endOf(await response, forwarding, pieces);
  } catch (cause) {
    const error = request.onStreamFailure(cause);
    const frames = format.streamErrorOf({ status: error.status, error: errorEnvelope(error).error });
    yield streamEnd(format.streamType, frames, 'internalServerException');
  } finally {
    outcome.stop();
    if (pieces?.hasReleased === true) await recordIfBroken(deps, principal, forwarding, response, pieces);
  }
}

/** Yields the rest of the response according to the verdict on the whole. */
async function* endOf(
  { outgoing, evaluated }: CompletedResponse,
  forwarding: RequestToForward,
  pieces: Pieces | null,
): AsyncGenerator<string | Buffer> {
  const { format, provider, request } = forwarding;
  if (!evaluated.streamed) throw providerError(provider, 'malformed_stream');
  request.onStreamVerdict(evaluated.evaluation);
  if (evaluated.evaluation.decision === 'block') {
    const frames = blockedStream(format, evaluated.evaluation, pieces?.released().toString() ?? '');
    yield streamEnd(format.streamType, frames);
    return;
  }
  yield pieces?.restOf(outgoing.body) ?? outgoing.body;
  if (!hasComments(forwarding)) return;
  if (!endsFrame(outgoing.body)) yield '\n\n';
  yield verdictComment(evaluated.evaluation);
}

/**
 * Tracks whether the response is complete. `next` resolves when it is, when more can be sent, or when a comment is due
 * (true). Uses one handler on the response and one timer, however often it is called.
 */
function watch(timers: Timers, response: Promise<CompletedResponse>, pieces: Pieces | null) {
  let waiting = Promise.withResolvers<void>();
  const wake = (): void => pieces?.wake() ?? waiting.resolve();
  let isDue = false;
  let cancel = (): void => {};
  const arm = (): void => {
    outcome.isQuiet = true;
    cancel = timers.after(COMMENT_EVERY_MS, () => {
      isDue = outcome.isQuiet;
      if (isDue) wake();
      else arm();
    });
  };
  const outcome = {
    isSettled: false,
    /** True if nothing was sent since the timer started. */
    isQuiet: true,
    async next(): Promise<boolean> {
      await (pieces?.more() ?? waiting.promise);
      waiting = Promise.withResolvers();
      if (!isDue || outcome.isSettled) return false;
      isDue = false;
      arm();
      return true;
    },
    stop: () => cancel(),
  };
  arm();
  const settle = (): void => {
    outcome.isSettled = true;
    wake();
  };
  response.then(settle, settle);
  return outcome;
}

/** If the stream broke off or its client left before the evaluation, evaluates and records what was sent. */
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
    storeBlock,
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
    body: pieces.released(),
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

/** Amazon's event streams have no message that all clients ignore. */
function hasComments({ format }: RequestToForward): boolean {
  return format.streamType === EVENT_STREAM;
}

/** Returns whether a comment can follow without becoming part of the last frame. */
function endsFrame(body: Buffer | string): boolean {
  const end = body.slice(-4).toString();
  return end.endsWith('\n\n') || end.endsWith('\r\n\r\n') || end.endsWith('\r\r');
}

/** Returns the verdict as the last line of a stream whose head was already sent: a comment, which clients ignore. */
function verdictComment({ decision, eventId, threatType, confidence }: VerdictOfResponse): string {
  const verdict = { decision, event_id: eventId, threat_type: threatType, confidence };
  return `: service ${JSON.stringify(verdict)}\n\n`;
}

type VerdictOfResponse = Pick<Evaluation, 'decision' | 'eventId' | 'threatType' | 'confidence'>;
