import { LiveBytes, type LiveRelease } from '@csg/shared/release';
import type { RawResponse, ResponseObserver } from '../../upstream/gather-response.ts';
import { readResponseKind } from '../../upstream/response-kind.ts';
import type { Pieces } from './stream-body.ts';

export type LiveHead = Pick<RawResponse, 'status' | 'headers'>;

/** A provider's stream while it arrives, and what of it has left. */
export class LiveSource extends LiveBytes implements ResponseObserver, Pieces {
  /** Resolves with the head of a stream that can be read as it arrives; not at all for another response. */
  readonly head: Promise<LiveHead>;
  private readonly begin: (head: LiveHead) => void;
  private response: LiveHead | null = null;
  private waiting = Promise.withResolvers<void>();

  /** `onHeld`: given the characters that arrived and did not leave. */
  constructor(release: LiveRelease, onHeld: (characters: number) => void) {
    super(release, onHeld);
    const { promise, resolve } = Promise.withResolvers<LiveHead>();
    this.head = promise;
    this.begin = resolve;
  }

  onHead(status: number, headers: RawResponse['headers']): void {
    if (status !== 200 || headers['content-encoding'] !== undefined) return;
    if (readResponseKind(headers['content-type'], NOTHING) !== 'event-stream') return;
    this.response = { status, headers };
    this.begin(this.response);
  }

  onData(chunk: Buffer): void {
    if (this.response === null) return;
    this.push(chunk);
    this.wake();
  }

  get headers(): RawResponse['headers'] {
    return this.response?.headers ?? {};
  }

  async more(): Promise<void> {
    await this.waiting.promise;
    this.waiting = Promise.withResolvers();
  }

  wake(): void {
    this.waiting.resolve();
  }
}

const NOTHING = Buffer.alloc(0);
