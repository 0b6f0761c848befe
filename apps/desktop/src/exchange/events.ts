import type { BlockReply } from '@csg/shared/providers';
import type { Treatment } from '../inspect/choose-route.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { RequestVerdict } from '../inspect/evaluate-request.ts';
import type { PieceVerdict, ResponseVerdict } from '../inspect/evaluate-response.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import type { ConnectionTarget, HttpHeaders, ResponseHead } from '../upstream/open-request.ts';
import type { HeaderChanges } from '../upstream/outgoing-headers.ts';

/** The head of a client's request, for any version of HTTP. */
export interface RequestHead {
  readonly target: ConnectionTarget;
  readonly treatment: Treatment;
  readonly version: '1.0' | '1.1' | '2.0';
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** The host that the request itself names; empty: none. */
  readonly authority: string;
  readonly rawHeaders: readonly string[];
  readonly headers: HttpHeaders;
  readonly hasBody: boolean;
  /** The client waits for a 100 response before it sends the body. */
  readonly expectsContinue: boolean;
}

/** The events of an exchange. */
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
  /** The connection to the provider failed or broke. */
  | { readonly type: 'upstream-error'; readonly code: string; readonly mayRepeat: boolean }
  | { readonly type: 'response-verdict'; readonly verdict: ResponseVerdict }
  /** A part of a stream that can be sent. */
  | { readonly type: 'released'; readonly bytes: Uint8Array }
  /** The client has waited for a long time. */
  | { readonly type: 'waited' }
  | { readonly type: 'piece-verdict'; readonly bytes: Uint8Array; readonly verdict: PieceVerdict }
  /** An internal error. */
  | { readonly type: 'failed'; readonly name: string };

/** The result of gathering a body. */
export type GatheredBody =
  | { readonly kind: 'none' | 'opaque' | 'too-large' }
  | { readonly kind: 'whole'; readonly bytes: Uint8Array };

/** A response that the proxy itself creates. */
export interface OwnReply extends BlockReply {
  readonly eventId: string | null;
}

/** Actions of an exchange, performed in this order. */
export type ExchangeAction =
  | { readonly type: 'read-request' }
  | { readonly type: 'hold-request' }
  /** The rest of the request is not needed. */
  | { readonly type: 'drop-request' }
  | { readonly type: 'send-continue' }
  | { readonly type: 'evaluate-request'; readonly body: GatheredBody }
  | { readonly type: 'record'; readonly event: DecisionEvent }
  | { readonly type: 'count'; readonly counter: 'blocked' | 'redacted' | 'noResponses' }
  /** A new request to the provider; the previous one, if any, has failed. */
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
  /** From here on a stream is decompressed, and `waited` reports a long wait. */
  | { readonly type: 'await-stream'; readonly head: ResponseHead }
  /** Like `await-stream`, and each part is `released` once it can be sent. */
  | { readonly type: 'release-stream'; readonly prompt: RequestReading; readonly head: ResponseHead }
  | { readonly type: 'release-piece'; readonly bytes: Uint8Array }
  /** The stream broke off: the part already sent is evaluated. */
  | { readonly type: 'evaluate-released'; readonly prompt: RequestReading; readonly head: ResponseHead }
  /** From here on the response is decompressed, and each piece gets a verdict. */
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
      /** Header names that no longer apply, in lower case. */
      readonly without: readonly string[];
      /** Sent immediately: the first piece may be late. */
      readonly isFlushed: boolean;
    }
  | { readonly type: 'respond-bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'respond-end'; readonly trailers: readonly string[] }
  | { readonly type: 'reply'; readonly reply: OwnReply }
  /** The client must not take the partial response for a complete one. */
  | { readonly type: 'break' };

/** An error of the proxy itself, as JSON. */
export function proxyReply(status: number, message: string): OwnReply {
  const body = JSON.stringify({ error: { type: 'proxy_error', code: String(status), message } });
  return { status, contentType: 'application/json; charset=utf-8', body, eventId: null };
}

/** Returns an empty string if the header is missing. */
export function headerText(headers: HttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
