import type { BlockReply } from '@csg/shared/providers';
import type { Treatment } from '../inspect/choose-route.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { RequestVerdict } from '../inspect/evaluate-request.ts';
import type { PieceVerdict, ResponseVerdict } from '../inspect/evaluate-response.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import type { ConnectionTarget, HttpHeaders, ResponseHead } from '../upstream/open-request.ts';
import type { HeaderChanges } from '../upstream/outgoing-headers.ts';

/** The head of a client's request, whatever the version of HTTP. */
export interface RequestHead {
  readonly target: ConnectionTarget;
  readonly treatment: Treatment;
  readonly version: '1.0' | '1.1' | '2.0';
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The host that the request names itself; empty: none. */
  readonly authority: string;
  readonly rawHeaders: readonly string[];
  readonly headers: HttpHeaders;
  readonly hasBody: boolean;
  /** The client waits for a 100 before it sends the body. */
  readonly expectsContinue: boolean;
}

/** What happens to an exchange. */
export type ExchangeEvent =
  | { readonly type: 'request'; readonly head: RequestHead }
  | { readonly type: 'request-bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'request-end'; readonly trailers: readonly string[] }
  /** The client left before it had the whole response. */
  | { readonly type: 'client-gone' }
  | { readonly type: 'request-verdict'; readonly verdict: RequestVerdict }
  | { readonly type: 'response'; readonly head: ResponseHead }
  | { readonly type: 'response-bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'response-end'; readonly trailers: readonly string[] }
  /** There is no connection to the provider, or it broke. */
  | { readonly type: 'upstream-error'; readonly code: string; readonly mayRepeat: boolean }
  | { readonly type: 'response-verdict'; readonly verdict: ResponseVerdict }
  /** A part of a stream that can leave. */
  | { readonly type: 'released'; readonly bytes: Uint8Array }
  /** The client has waited for long. */
  | { readonly type: 'waited' }
  | { readonly type: 'piece-verdict'; readonly bytes: Uint8Array; readonly verdict: PieceVerdict }
  /** An error of ours. */
  | { readonly type: 'failed'; readonly name: string };

/** A body as it could be gathered. */
export type GatheredBody =
  | { readonly kind: 'none' | 'opaque' | 'too-large' }
  | { readonly kind: 'whole'; readonly bytes: Uint8Array };

/** A response of ours. */
export interface OwnReply extends BlockReply {
  readonly eventId: string | null;
}

/** What is done about it, in this order. */
export type ExchangeAction =
  | { readonly type: 'read-request' }
  | { readonly type: 'hold-request' }
  /** What still comes of the request is of no use. */
  | { readonly type: 'drop-request' }
  | { readonly type: 'send-continue' }
  | { readonly type: 'evaluate-request'; readonly body: GatheredBody }
  | { readonly type: 'record'; readonly event: DecisionEvent }
  | { readonly type: 'count'; readonly counter: 'blocked' | 'redacted' | 'noResponses' }
  /** A new request to the provider; the one before, if any, is dead. */
  | { readonly type: 'open'; readonly path: string; readonly changes: HeaderChanges }
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'send-end'; readonly trailers: readonly string[] }
  | { readonly type: 'abort' }
  | { readonly type: 'read-response' }
  | { readonly type: 'hold-response' }
  | {
      readonly type: 'evaluate-response';
      readonly prompt: RequestReading;
      readonly head: ResponseHead;
      readonly body: { readonly bytes: Uint8Array } | { readonly unread: string };
    }
  /** From here on a stream comes unpacked, and `waited` says that it takes long. */
  | { readonly type: 'await-stream'; readonly head: ResponseHead }
  /** The same, and each part of it is `released` once it can leave. */
  | { readonly type: 'release-stream'; readonly prompt: RequestReading; readonly head: ResponseHead }
  | { readonly type: 'release-piece'; readonly bytes: Uint8Array }
  /** The stream broke off: what of it has left is evaluated. */
  | { readonly type: 'evaluate-released'; readonly prompt: RequestReading; readonly head: ResponseHead }
  /** From here on the response comes unpacked, and each piece gets a verdict. */
  | {
      readonly type: 'watch-response';
      readonly prompt: RequestReading;
      readonly head: ResponseHead;
      readonly isEvents: boolean;
    }
  | { readonly type: 'evaluate-piece'; readonly bytes: Uint8Array }
  | {
      readonly type: 'respond';
      readonly head: ResponseHead;
      /** Names that no longer hold, in lower case. */
      readonly without: readonly string[];
      /** Goes out by itself: the first piece may be late. */
      readonly isFlushed: boolean;
    }
  | { readonly type: 'respond-bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'respond-end'; readonly trailers: readonly string[] }
  | { readonly type: 'reply'; readonly reply: OwnReply }
  /** The client must not take what it has for the whole. */
  | { readonly type: 'break' };

/** An error of the proxy itself, for a client that reads JSON. */
export function proxyReply(status: number, message: string): OwnReply {
  const body = JSON.stringify({ error: { type: 'proxy_error', code: String(status), message } });
  return { status, contentType: 'application/json; charset=utf-8', body, eventId: null };
}

/** Empty where there is none. */
export function headerText(headers: HttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
