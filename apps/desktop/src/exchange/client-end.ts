import type { ResponseHead } from '../upstream/open-request.ts';
import type { OwnReply, RequestHead } from './events.ts';

/** What a client does. Nothing comes before `listen`, and no bytes before `read`. */
export interface ClientEvents {
  bytes(bytes: Uint8Array): void;
  end(trailers: readonly string[]): void;
  /** It left before it had sent or received everything. */
  gone(): void;
  /** After a `write` that was false: it takes more. */
  drain(): void;
}

/** The client's side of one exchange, whatever the version of HTTP. */
export interface ClientEnd {
  readonly head: Omit<RequestHead, 'target' | 'treatment'>;
  listen(events: ClientEvents): void;
  read(): void;
  pause(): void;
  /** Reads the rest of the request and forgets it. */
  drop(): void;
  sendContinue(): void;
  /** Throws where the version of HTTP has no way to say it. `without`: names (lower case) that no longer hold. */
  respond(head: ResponseHead, without: readonly string[], isFlushed: boolean): void;
  /** False: the client is slower than the provider. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  reply(reply: OwnReply): void;
  /** Ends the response so that it does not look whole. */
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
