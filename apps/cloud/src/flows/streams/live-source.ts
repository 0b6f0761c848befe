import type { RawResponse, ResponseObserver } from '../../upstream/gather-response.ts';
import { readResponseKind } from '../../upstream/response-kind.ts';
import type { LiveRelease } from './live-release.ts';
import type { Pieces } from './stream-body.ts';

export type LiveHead = Pick<RawResponse, 'status' | 'headers'>;

/** A provider's stream while it arrives, and what of it has left. */
export class LiveSource implements ResponseObserver, Pieces {
  /** Resolves with the head of a stream that can be read as it arrives; not at all for another response. */
  readonly head: Promise<LiveHead>;
  private readonly begin: (head: LiveHead) => void;
  private readonly release: LiveRelease;
  private readonly onHeld: (characters: number) => void;
  private response: LiveHead | null = null;
  private readonly chunks: Buffer[] = [];
  /** Chunks and bytes of the next one that have left. */
  private leftChunks = 0;
  private leftOfChunk = 0;
  leftBytes = 0;
  private waiting = Promise.withResolvers<void>();

  /** `onHeld`: given the characters that arrived and did not leave. */
  constructor(release: LiveRelease, onHeld: (characters: number) => void) {
    const { promise, resolve } = Promise.withResolvers<LiveHead>();
    this.head = promise;
    this.begin = resolve;
    this.release = release;
    this.onHeld = onHeld;
  }

  onHead(status: number, headers: RawResponse['headers']): void {
    if (status !== 200 || headers['content-encoding'] !== undefined) return;
    if (readResponseKind(headers['content-type'], NOTHING) !== 'event-stream') return;
    this.response = { status, headers };
    this.begin(this.response);
  }

  onData(chunk: Buffer): void {
    if (this.response === null) return;
    this.chunks.push(chunk);
    if (this.release.push(chunk) > this.leftBytes) this.wake();
    this.onHeld(this.release.heldCharacters);
  }

  take(): Buffer | null {
    const { released } = this.release;
    if (released <= this.leftBytes) return null;
    const pieces: Buffer[] = [];
    while (this.leftBytes < released) {
      const chunk = this.chunks[this.leftChunks]!;
      const end = Math.min(chunk.length, this.leftOfChunk + released - this.leftBytes);
      pieces.push(chunk.subarray(this.leftOfChunk, end));
      this.leftBytes += end - this.leftOfChunk;
      this.leftOfChunk = end;
      if (end < chunk.length) break;
      this.leftChunks++;
      this.leftOfChunk = 0;
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  left(): Buffer {
    return Buffer.concat(this.chunks).subarray(0, this.leftBytes);
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
