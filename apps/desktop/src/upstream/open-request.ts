import type { HeaderChanges } from './outgoing-headers.ts';

/** Where a connection leads, fixed when it was opened. */
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

/** The head of the provider's response, whatever the version of HTTP. */
export interface ResponseHead {
  readonly status: number;
  readonly statusMessage: string;
  readonly rawHeaders: readonly string[];
  readonly headers: HttpHeaders;
}

export interface UpstreamError {
  /** Node's code, or its sentence where there is none. */
  readonly code: string;
  /** The provider has not looked at the request: it may be sent again. */
  readonly mayRepeat: boolean;
}

/** What a request to the provider leads to. Nothing comes after `end` or `error`. */
export interface UpstreamEvents {
  response(head: ResponseHead): void;
  bytes(bytes: Uint8Array): void;
  end(trailers: readonly string[]): void;
  /** Before the response, or in the middle of its body. */
  error(error: UpstreamError): void;
  /** After a `write` that was false: more may be written. */
  drain(): void;
}

/** A request that is under way. Its body is written piece by piece. */
export interface UpstreamRequest {
  /** False: the provider is slower than the client. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  pause(): void;
  resume(): void;
  /** No event follows. */
  abort(): void;
}

/** Never throws: what cannot be sent is an `error`, after this returns. */
export type OpenUpstream = (head: UpstreamHead, events: UpstreamEvents) => UpstreamRequest;

export function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]!, raw[i + 1]!]);
  return pairs;
}

/** A request that cannot be sent. */
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
