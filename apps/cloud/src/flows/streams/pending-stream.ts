import { type CodedError, errorEnvelope } from '@csg/shared/contract';
import { EVENT_STREAM, type WireFormat } from '@csg/shared/providers';
import { providerError } from '../../upstream/provider-error.ts';
import type { Provider } from '../../upstream/providers.ts';
import type { Timers } from '../clock.ts';
import type { CompletedResponse } from '../complete-response.ts';
import { verdictComment } from './verdict-comment.ts';

export interface PendingDeps {
  readonly timers: Timers;
  readonly settings: { readonly streamHeadAfterMs: number };
}

export interface PendingStream {
  readonly format: WireFormat;
  readonly provider: Provider;
  readonly response: Promise<CompletedResponse>;
  /** Logs a failure after the head was sent, and says what the client may know of it. */
  readonly onFailure: (cause: unknown) => CodedError;
}

/** Shorter than what any proxy on the way waits for. */
const COMMENT_EVERY_MS = 15_000;
const WAITING = ': waiting\n\n';

/**
 * The response, if it is there in time; else the body of a stream that begins now, and says that the response is
 * awaited until it is there. Nothing of the response leaves before it was evaluated: a comment is no part of it.
 */
export async function completedOrPending(
  { timers, settings: { streamHeadAfterMs } }: PendingDeps,
  pending: PendingStream,
): Promise<CompletedResponse | AsyncIterable<string | Buffer>> {
  const { format, response } = pending;
  if (streamHeadAfterMs === 0 || format.streamType !== EVENT_STREAM) return await response;
  const first = await settledWithin(timers, streamHeadAfterMs, response);
  if (first !== LATE) return first;
  // The body may never be asked for: its client can leave now.
  response.catch(() => {});
  return pendingBody(timers, pending);
}

async function* pendingBody(
  timers: Timers,
  { format, provider, response, onFailure }: PendingStream,
): AsyncGenerator<string | Buffer> {
  try {
    for (;;) {
      yield WAITING;
      const settled = await settledWithin(timers, COMMENT_EVERY_MS, response);
      if (settled === LATE) continue;
      const { outgoing, evaluated } = settled;
      if (!evaluated.streamed) throw providerError(provider, 'malformed_stream');
      yield outgoing.body;
      if (evaluated.evaluation.decision === 'block') return;
      if (!endsFrame(outgoing.body)) yield '\n\n';
      yield verdictComment(evaluated.evaluation);
      return;
    }
  } catch (cause) {
    const error = onFailure(cause);
    yield format.streamErrorOf({ status: error.status, error: errorEnvelope(error).error });
  }
}

const LATE = Symbol('late');

async function settledWithin<T>(timers: Timers, ms: number, promise: Promise<T>): Promise<T | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>();
  const cancel = timers.after(ms, () => late.resolve(LATE));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}

/** Whether a comment can follow without becoming a part of the last frame. */
function endsFrame(body: Buffer | string): boolean {
  const end = body.slice(-4).toString();
  return end.endsWith('\n\n') || end.endsWith('\r\n\r\n') || end.endsWith('\r\r');
}
