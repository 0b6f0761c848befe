import type { Dispatcher } from 'undici';
import type { ProviderFault } from './provider-fault.ts';
import { readProviderFault } from './provider-fault.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Bytes of all answers being gathered, so that many large ones at once cannot exhaust the memory. */
export interface GatherBudget {
  used: number;
  readonly max: number;
}

export class GatherFault extends Error {
  readonly fault: ProviderFault;
  constructor(fault: ProviderFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/**
 * An undici handler that settles once: with the whole answer, or with a GatherFault, or with the caller's reason.
 * Used with `dispatch` because nothing is emitted before the scan: a stream in between would only cost.
 */
export class AnswerGatherer implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawAnswer>;
  readonly #maxBytes: number;
  readonly #budget: GatherBudget;
  #resolve!: (answer: RawAnswer) => void;
  #reject!: (reason: unknown) => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: RawAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, budget: GatherBudget) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends the vendor's call, also while it is still queued or connecting. */
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
    headers: RawAnswer['headers'],
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.stop(new GatherFault('too_large'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    this.#budget.used += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#maxBytes) this.stop(new GatherFault('too_large'));
    else if (this.#budget.used > this.#budget.max) this.stop(new GatherFault('busy'));
  }

  onResponseEnd(): void {
    const chunks = this.#chunks;
    const bytes = this.#bytes;
    if (!this.#settle()) return;
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#settle()) return;
    this.#reject(new GatherFault(readProviderFault(error, this.#status > 0), error));
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
