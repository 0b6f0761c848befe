import type { Unscanned } from '@csg/shared/contract';
import type { WireFormat } from '@csg/shared/providers';
import type { UpstreamResponse } from '../upstream/send.ts';
import { streamEnd } from '../upstream/stream-text.ts';
import { blockedError, blockedStream } from './blocked-error.ts';
import type { EvaluatedResponse } from './evaluate-response.ts';
import type { Evaluation } from './evaluate-texts.ts';
import type { Links } from './links.ts';

export interface RelayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces if the head is sent before the response is there. */
  readonly body: Buffer | string | AsyncIterable<string | Buffer>;
  /** Of the scan that decided: the response's if it was stricter, else the prompt's. */
  readonly evaluation: Evaluation;
  /** Passages left out of what was forwarded, for X-Service-Withheld. */
  readonly withheld: number;
  /** Reasons of parts that hold no readable text, for X-Service-Unscanned. */
  readonly unscanned: readonly string[];
  /** Of prompt and response together, and the wait for the provider's whole response; null if it is not there. */
  readonly scanMs: number;
  readonly providerMs: number | null;
}

export interface OutgoingResponse extends Pick<RelayReply, 'status' | 'headers'> {
  readonly body: Buffer | string;
}

/**
 * A provider's response as the client gets it: to the byte, or in its place the block frame of its stream. Throws what
 * the provider said no with, and, of a whole response, that it was blocked.
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
