import type { Unscanned } from '@csg/shared/contract';
import type { WireFormat } from '@csg/shared/providers';
import type { UpstreamResponse } from '../upstream/send.ts';
import { streamEnd } from '../upstream/stream-text.ts';
import { blockedError, blockedStream } from './blocked-error.ts';
import type { Evaluation } from './decision/evaluate.ts';
import type { EvaluatedResponse } from './evaluate-response.ts';
import type { Links } from './links.ts';

export interface RelayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable if the head is sent before the response is complete. */
  readonly body: Buffer | string | AsyncIterable<string | Buffer>;
  /** The deciding evaluation: that of the response if it is stricter, else that of the prompt. */
  readonly evaluation: Evaluation;
  /** Number of passages removed from the forwarded request, for X-Service-Withheld. */
  readonly withheld: number;
  /** Reasons why parts were not scanned, for X-Service-Unscanned. */
  readonly unscanned: readonly string[];
  /** Scan time of prompt and response together, and time until the provider's whole response; null if incomplete. */
  readonly scanMs: number;
  readonly providerMs: number | null;
}

export interface OutgoingResponse extends Pick<RelayReply, 'status' | 'headers'> {
  readonly body: Buffer | string;
}

/**
 * Returns a provider's response as sent to the client: unchanged to the byte, or replaced by the block frame of its
 * stream. Throws the provider's error, or the error for a whole response that was blocked.
 */
export async function outgoing(
  links: Links,
  format: WireFormat,
  response: UpstreamResponse,
  { evaluation, rejection, streamed, headers, restoredBody }: EvaluatedResponse,
): Promise<OutgoingResponse> {
  if (rejection !== null) throw rejection;
  if (evaluation.decision !== 'block')
    return { status: response.status, headers, body: restoredBody ?? response.body };
  if (!streamed) throw blockedError(links, 'response_blocked', evaluation);
  return {
    status: 200,
    headers: { ...headers, 'content-type': format.streamType },
    body: await streamEnd(format.streamType, blockedStream(format, evaluation)),
  };
}

export function unscannedReasons(
  evaluations: readonly Evaluation[],
  parts: readonly Unscanned[],
): readonly string[] {
  const isUnscanned = evaluations.some((evaluation) => evaluation.isUnscanned);
  return [...(isUnscanned ? ['engine_unavailable'] : []), ...parts.map(({ reason }) => reason)];
}
