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

/** What the observer gets at a time, and the milliseconds of its work after which other work comes first. */
const PIECE_BYTES = 16_384;
const LONG_MS = 4;

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
  /** What the observer did not get yet. It gets no more once the whole response is there. */
  #unobserved: Buffer[] = [];
  #resting: NodeJS.Timeout | null = null;
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

  onResponseData(controller: Dispatcher.DispatchController, received: Buffer): void {
    if (this.#settled) return;
    this.#bytes += received.length;
    this.#budget.used += received.length;
    const chunk = this.#comments?.push(received) ?? received;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#maxBytes) this.stop(new GatherError('too_large'));
    else if (this.#budget.used > this.#budget.max) this.stop(new GatherError('busy'));
    else if (this.#observer !== undefined) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        this.#unobserved.push(chunk.subarray(at, at + PIECE_BYTES));
      if (this.#resting === null) this.#observe(controller, this.#observer);
    }
  }

  /** The observer's work takes at most half of the event loop: what it takes long for is followed by as long a pause. */
  #observe(controller: Dispatcher.DispatchController, observer: ResponseObserver): void {
    this.#resting = null;
    for (let piece = this.#unobserved.shift(); piece !== undefined; piece = this.#unobserved.shift()) {
      const begunMs = performance.now();
      observer.onData(piece);
      const ms = performance.now() - begunMs;
      if (ms < LONG_MS) continue;
      controller.pause();
      this.#resting = setTimeout(() => this.#observe(controller, observer), ms);
      return;
    }
    controller.resume();
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
    this.#unobserved = [];
    if (this.#resting !== null) clearTimeout(this.#resting);
    return true;
  }
}
