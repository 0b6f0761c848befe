import type { Dispatcher } from 'undici';

export interface JsonPost {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the call to the last byte of the response. */
  readonly deadlineMs: number;
  /** A larger response is aborted. */
  readonly maxResponseBytes: number;
}

export interface TextResponse {
  readonly status: number;
  readonly text: string;
}

export class DeadlineError extends Error {}
export class ResponseSizeError extends Error {}

/**
 * Posts JSON through undici's dispatcher: its `request` creates a stream and an abort signal for every response, which
 * took half of the time. Rejects with DeadlineError, ResponseSizeError, or the error of the connection.
 */
export function postJson(dispatcher: Dispatcher, post: JsonPost): Promise<TextResponse> {
  const { origin, path, headers, body, deadlineMs, maxResponseBytes } = post;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let error: Error | null = null;
    let status = 0;
    let size = 0;
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => fail(new DeadlineError()), deadlineMs);
    const fail = (reason: Error): void => {
      clearTimeout(timer);
      error = reason;
      reject(reason);
      controller?.abort(reason);
    };
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers: { ...headers }, body },
      {
        onRequestStart(started) {
          controller = started;
          // The deadline passed while it waited for a free connection.
          if (error !== null) started.abort(error);
        },
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > maxResponseBytes) fail(new ResponseSizeError());
          else chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          const [first] = chunks;
          const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
          resolve({ status, text: bytes.toString('utf8') });
        },
        onResponseError(_controller, reason) {
          clearTimeout(timer);
          reject(reason);
        },
      },
    );
  });
}
