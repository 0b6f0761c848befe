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

/** A stream whose head is sent before the response was evaluated. */
export interface BegunStream {
  readonly begun: Pick<RelayReply, 'headers' | 'body'>;
}

/**
 * The response to a request for a stream: whole if it is there in time, else the beginning of a stream. Of a live project
 * it begins with the provider's; of another one after some time, and says that the response is awaited.
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
  // The body may never be asked for: its client can leave now.
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

/** None if something is found in them: what is left of them then only the whole evaluation says. */
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
