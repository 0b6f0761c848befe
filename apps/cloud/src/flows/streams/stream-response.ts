import { OUTPUT_HEADER, type OutputMode } from '@csg/shared/contract';
import { resolveRuleset, scan, Workspace } from '@csg/shared/detection';
import { EVENT_STREAM } from '@csg/shared/providers';
import { createRelease, type LiveRelease } from '@csg/shared/streaming';
import { replyHeaders } from '../../upstream/reply-headers.ts';
import { framingOf } from '../../upstream/stream-text.ts';
import { createLiveCallCheck } from '../agent/check-live-calls.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Timers } from '../clock.ts';
import { type CompletedResponse, completeResponse, type RequestToForward } from '../complete-response.ts';
import { destinationOf } from '../decision/find-exceptions.ts';
import { readHeaders } from '../read-headers.ts';
import type { RelayReply } from '../relay-reply.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { type LiveHead, LiveSource } from './live-source.ts';
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
      ? new LiveSource(
          await releaseOf(deps, principal, forwarding),
          deps.metrics.held,
          format.streamType,
          (work) => deps.pacedTurns.run(principal, work),
        )
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
  const { slot } = readHeaders(headers);
  const isPlain = slot === null || scan([slot], principal.ruleset.compiled, 'output').length === 0;
  return isPlain ? headers : {};
}

/** Returned if the value did not arrive in time. */
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

/** Returns how a project's streams are delivered; null for the specification's default, without an output header. */
function outputModeOf(
  { settings, policyWebhook }: Principal,
  { format }: Pick<RequestToForward, 'format'>,
): OutputMode | null {
  if (settings.streaming !== 'live') return null;
  const isLive = policyWebhook === null && format.readFrames() !== null;
  return isLive ? 'live' : 'buffered';
}

/** Keeps no text between two pieces. */
const workspace = new Workspace();

async function releaseOf(
  deps: RelayDependencies,
  principal: Principal,
  { format, provider, model, systemSlots, restores, continues }: RequestToForward,
): Promise<LiveRelease> {
  const host = destinationOf(provider);
  const policyContext = { host, provider: provider.name, model, atMs: deps.clock.now() };
  const ruleset = resolveRuleset(principal.ruleset.compiled, policyContext);
  const history = continues && {
    ...{ conversation: continues.request, body: continues.body },
    tainted: continues.tainted ?? [],
  };
  const mayCall = history && (await createLiveCallCheck(deps, principal, history, policyContext));
  const framing = await framingOf(format.streamType);
  return createRelease({ format, framing, ruleset, systemSlots, workspace, restores, mayCall });
}
