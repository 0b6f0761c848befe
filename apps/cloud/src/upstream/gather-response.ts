import { isEventStream } from '@csg/shared/providers';
import type { Dispatcher } from 'undici';
import { OwnComments } from './own-comments.ts';
import type { ProviderErrorReason } from './provider-error.ts';
import { readProviderErrorReason } from './provider-error.ts';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Bytes of all responses being buffered, so that many large ones cannot exhaust the memory. */
export interface GatherBudget {
  used: number;
  readonly max: number;
}

/** Observes a response while it is being buffered. */
export interface ResponseObserver {
  onHead(status: number, headers: RawResponse['headers']): void;
  onData(chunk: Buffer): void;
}

export class GatherError extends Error {
  readonly reason: ProviderErrorReason;
  constructor(reason: ProviderErrorReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * An undici handler that settles once: with the complete response, a GatherError, or the caller's reason. Used with
 * `dispatch` because nothing is emitted before the scan: a stream in between would only add cost.
 */
export class ResponseGatherer implements Dispatcher.DispatchHandler {
  readonly response: Promise<RawResponse>;
  readonly #maxBytes: number;
  readonly #budget: GatherBudget;
  readonly #observer: ResponseObserver | undefined;
  #resolve!: (response: RawResponse) => void;
  #reject!: (reason: unknown) => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: RawResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Set if an event stream is observed. */
  #comments: OwnComments | null = null;

  constructor(maxBytes: number, budget: GatherBudget, observer?: ResponseObserver) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
    this.#observer = observer;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Aborts the provider's call, even while it is queued or connecting. */
  stop(reason: unknown): void {
    if (!this.#settle()) return;
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('stopped'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('stopped'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawResponse['headers'],
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    // Without an observer the whole stream is filtered at once.
    const isLive = this.#observer !== undefined && headers['content-encoding'] === undefined;
    if (isLive && isEventStream([headers['content-type']].flat()[0])) this.#comments = new OwnComments();
    if (Number(headers['content-length']) > this.#maxBytes) this.stop(new GatherError('too_large'));
    else this.#observer?.onHead(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, received: Buffer): void {
    if (this.#settled) return;
    this.#bytes += received.length;
    this.#budget.used += received.length;
    const chunk = this.#comments?.push(received) ?? received;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#maxBytes) this.stop(new GatherError('too_large'));
    else if (this.#budget.used > this.#budget.max) this.stop(new GatherError('busy'));
    else this.#observer?.onData(chunk);
  }

  onResponseEnd(): void {
    const chunks = this.#comments === null ? this.#chunks : [...this.#chunks, this.#comments.end()];
    if (!this.#settle()) return;
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#settle()) return;
    this.#reject(new GatherError(readProviderErrorReason(error, this.#status > 0), error));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#budget.used -= this.#bytes;
    this.#bytes = 0;
    this.#chunks = [];
    return true;
  }
}
