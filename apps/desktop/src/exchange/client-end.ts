import type { ResponseHead } from '../upstream/open-request.ts';
import type { OwnReply, RequestHead } from './events.ts';

/** Events of a client. None comes before `listen`, and no bytes before `read`. */
export interface ClientEvents {
  bytes(bytes: Uint8Array): void;
  end(trailers: readonly string[]): void;
  /** The client left before it had sent or received everything. */
  gone(): void;
  /** The client accepts more, after a `write` that returned false. */
  drain(): void;
}

/** The client's side of one exchange, for any version of HTTP. */
export interface ClientEnd {
  readonly head: Omit<RequestHead, 'target' | 'treatment'>;
  listen(events: ClientEvents): void;
  read(): void;
  pause(): void;
  /** Reads the rest of the request and forgets it. */
  drop(): void;
  sendContinue(): void;
  /** Throws if this version of HTTP cannot send the head. `without`: outdated header names (lower case). */
  respond(head: ResponseHead, without: readonly string[], isFlushed: boolean): void;
  /** Returns false if the client is slower than the provider. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  reply(reply: OwnReply): void;
  /** Ends the response in a way that shows it is incomplete. */
  break(): void;
}

export function replyHeaders({ contentType, body, eventId }: OwnReply): Record<string, string | number> {
  return {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(eventId !== null && { 'x-content-security-event': eventId }),
  };
}
