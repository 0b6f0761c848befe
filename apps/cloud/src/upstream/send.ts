import type { IncomingHttpHeaders } from 'node:http';
import type { Provider, ProviderDialect } from './providers.ts';

export interface UpstreamOptions {
  /** From the call until the whole answer is here. Default 570,000. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Largest answer, decoded. Default 32 MiB. */
  readonly maxAnswerBytes?: number;
  /** All answers being gathered at one time. Default 512 MiB. */
  readonly maxGatheredBytes?: number;
  /** Open connections per vendor. Default 2,048. */
  readonly connections?: number;
}

export interface UpstreamRequest {
  readonly provider: Provider;
  /** Names the path and the method; GET for `models`, POST for the rest. */
  readonly dialect: ProviderDialect;
  /** The client's query string without `?`. */
  readonly query?: string | undefined;
  /** The client's headers; what is not on the allow-list stays here. */
  readonly headers: IncomingHttpHeaders;
  /** Goes out as it is. */
  readonly body: Uint8Array | null;
  /** The vendor's credential without `Bearer `. */
  readonly credential: string;
  /** Aborting cancels the vendor's call at once; `send` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** As the vendor sent them, lower-case names; pass them through `replyHeaders` before showing them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the vendor says the body is; `json` where it says nothing. Non-2xx answers may be `other`. */
  readonly kind: 'json' | 'event-stream' | 'other';
  /** Whole and decoded. */
  readonly body: Buffer;
}

export interface Upstream {
  /**
   * Sends one request and gathers the whole answer, whatever its status.
   * Throws CodedError `provider_error` (see provider-fault.ts) for everything that keeps a whole answer from arriving.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

export declare function createUpstream(options?: UpstreamOptions): Upstream;
