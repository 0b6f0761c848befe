import { OUTPUT_HEADER, type OutputMode } from '@csg/shared/contract';
import { scan } from '@csg/shared/detection';
import { EVENT_STREAM } from '@csg/shared/providers';
import { replyHeaders } from '../../upstream/reply-headers.ts';
import type { Principal } from '../authenticate-key.ts';
import { type CompletedResponse, completeResponse, type RequestToForward } from '../complete-response.ts';
import { readReplyHeaders } from '../read-reply-headers.ts';
import type { RelayReply } from '../relay-reply.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { type LiveHead, LiveSource } from './live-source.ts';
import { outputModeOf, releaseOf } from './output-mode.ts';
import { LATE, settledWithin } from './settled-within.ts';
import { type Pieces, streamBody } from './stream-body.ts';

/** A stream whose head is sent before the response is evaluated. */
export interface BegunStream {
  readonly begun: Pick<RelayReply, 'headers' | 'body'>;
}

/**
 * Responds to a request for a stream: with the whole response if it is ready in time, else with the start of a stream.
 * In live mode it starts together with the provider's stream; otherwise after a delay, marked as pending.
 */
export async function streamResponse(
  deps: RelayDependencies,
  principal: Principal,
  forwarding: RequestToForward,
): Promise<CompletedResponse | BegunStream> {
  const { format } = forwarding;
  const mode = outputModeOf(principal, forwarding);
  const source =
    mode === 'live'
      ? new LiveSource(await releaseOf(deps, principal, forwarding), deps.metrics.held, format.streamType)
      : null;
  const response = completeResponse(deps, principal, { ...forwarding, observer: source ?? undefined });
  const hasComments = format.streamType === EVENT_STREAM;
  if (!hasComments && source === null) return marked(await response, mode);
  const first = await firstOf(deps, response, source, hasComments);
  if (first !== LATE && 'outgoing' in first) return marked(first, mode);
  // The body may never be read, because the client can leave now.
  response.catch(() => {});
  const begin = (output: OutputMode, headers: RelayReply['headers'], pieces: Pieces | null): BegunStream => ({
    begun: {
      headers: { 'content-type': format.streamType, ...headers, [OUTPUT_HEADER]: output },
      body: streamBody(deps, principal, forwarding, response, pieces),
    },
  });
  if (first === LATE || source === null) return begin('pending', {}, null);
  return begin('live', visibleHeaders(principal, forwarding, first), source);
}

function marked(completed: CompletedResponse, mode: OutputMode | null): CompletedResponse {
  if (mode !== 'buffered') return completed;
  const { outgoing } = completed;
  return { ...completed, outgoing: { ...outgoing, headers: { ...outgoing.headers, [OUTPUT_HEADER]: mode } } };
}

function firstOf(
  { timers, settings: { streamHeadAfterMs } }: RelayDependencies,
  response: Promise<CompletedResponse>,
  source: LiveSource | null,
  canWait: boolean,
): Promise<CompletedResponse | LiveHead | typeof LATE> {
  const first = source === null ? response : Promise.race([response, source.head]);
  return streamHeadAfterMs === 0 || !canWait ? first : settledWithin(timers, streamHeadAfterMs, first);
}

/** Returns none if a header has a finding, because then only the evaluation of the whole response decides. */
function visibleHeaders(
  principal: Principal,
  { provider }: RequestToForward,
  head: LiveHead,
): Record<string, string> {
  const headers = replyHeaders(provider, head.headers);
  const { slot } = readReplyHeaders(headers);
  const isPlain = slot === null || scan([slot], principal.ruleset.compiled, 'output').length === 0;
  return isPlain ? headers : {};
}
