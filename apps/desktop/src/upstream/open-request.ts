import type { HeaderChanges } from './outgoing-headers.ts';

/** The target of a connection, fixed when it was opened. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of a request as it goes to the provider. */
export interface UpstreamHead {
  readonly target: ConnectionTarget;
  readonly isHttp2: boolean;
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly changes: HeaderChanges;
}

/** The head of the provider's response, for any version of HTTP. */
export interface ResponseHead {
  readonly status: number;
  readonly statusMessage: string;
  readonly rawHeaders: readonly string[];
  readonly headers: HttpHeaders;
}

export interface UpstreamError {
  /** Node's error code, or its message if there is none. */
  readonly code: string;
  /** The provider has not processed the request: it may be sent again. */
  readonly mayRepeat: boolean;
}

/** Events of a request to the provider. None comes after `end` or `error`. */
export interface UpstreamEvents {
  response(head: ResponseHead): void;
  bytes(bytes: Uint8Array): void;
  end(trailers: readonly string[]): void;
  /** Occurs before the response, or during its body. */
  error(error: UpstreamError): void;
  /** More may be written, after a `write` that returned false. */
  drain(): void;
}

/** A request in progress. Its body is written piece by piece. */
export interface UpstreamRequest {
  /** Returns false if the provider is slower than the client. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  pause(): void;
  resume(): void;
  /** No event follows the call. */
  abort(): void;
}

/** Never throws: if the request cannot be sent, an `error` event follows. */
export type OpenUpstream = (head: UpstreamHead, events: UpstreamEvents) => UpstreamRequest;

export function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]!, raw[i + 1]!]);
  return pairs;
}

/** Returns a request that only reports an error. */
export function failedRequest(error: NodeJS.ErrnoException, events: UpstreamEvents): UpstreamRequest {
  let isAborted = false;
  queueMicrotask(() => {
    if (!isAborted) events.error({ code: error.code ?? error.message, mayRepeat: false });
  });
  return {
    write: () => true,
    end() {},
    pause() {},
    resume() {},
    abort() {
      isAborted = true;
    },
  };
}
