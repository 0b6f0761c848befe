import { cutFrame } from './cut-frame.ts';
import type { LiveRelease } from './live-release.ts';

/** The bytes of a stream while it arrives, and what of them has left. */
export class LiveBytes {
  private readonly release: LiveRelease;
  private readonly onHeld: (characters: number) => void;
  private readonly chunks: Buffer[] = [];
  /** Chunks that were read, and bytes that were not. */
  private readCount = 0;
  private unreadBytes = 0;
  /** Chunks and bytes of the next one that have left. */
  private leftChunks = 0;
  private leftOfChunk = 0;
  private leftBytes = 0;
  /** So many more bytes left than those, because values were put back. */
  private grownBy = 0;
  /** The frame after them, of which the first half has left. */
  private cut: { readonly end: number; readonly first: Buffer; readonly rest: Buffer } | null = null;
  /** The last frame that could not be cut. */
  private uncut = 0;

  /** `onHeld`: given the characters that arrived and did not leave. */
  constructor(release: LiveRelease, onHeld: (characters: number) => void) {
    this.release = release;
    this.onHeld = onHeld;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.unreadBytes += chunk.length;
    if (this.unreadBytes > MAX_UNREAD) this.readChunks();
  }

  /** What arrives together is read together. */
  private readChunks(): void {
    if (this.unreadBytes === 0) return;
    for (; this.readCount < this.chunks.length; this.readCount++)
      this.release.push(this.chunks[this.readCount]!);
    this.unreadBytes = 0;
    this.onHeld(this.release.heldCharacters);
  }

  /** What can leave now and did not yet; null: nothing. */
  take(): Buffer | null {
    this.readChunks();
    const pieces: Buffer[] = [];
    const { released } = this.release;
    if (this.cut !== null && released >= this.cut.end) {
      pieces.push(this.cut.rest);
      this.advance(this.cut.end);
      this.cut = null;
    }
    if (this.cut === null && released > this.leftBytes) {
      for (const { start, end, bytes } of this.release.takeChanged()) {
        pieces.push(...this.advance(start), bytes);
        this.advance(end);
        this.grownBy += bytes.length - (end - start);
      }
      pieces.push(...this.advance(released));
    }
    if (this.canCut()) this.cutNext(pieces);
    if (pieces.length === 0) return null;
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  /** The chunks up to `end`, which leave. */
  private advance(end: number): Buffer[] {
    const pieces: Buffer[] = [];
    while (this.leftBytes < end) {
      const chunk = this.chunks[this.leftChunks]!;
      const until = Math.min(chunk.length, this.leftOfChunk + end - this.leftBytes);
      pieces.push(chunk.subarray(this.leftOfChunk, until));
      this.leftBytes += until - this.leftOfChunk;
      this.leftOfChunk = until;
      if (until < chunk.length) break;
      this.leftChunks++;
      this.leftOfChunk = 0;
    }
    return pieces;
  }

  private canCut(): boolean {
    const { part } = this.release;
    return this.cut === null && part !== null && part.end > this.uncut;
  }

  /** Cuts the frame that does not leave whole. */
  private cutNext(pieces: Buffer[]): void {
    const { end, piece, at } = this.release.part!;
    this.uncut = end;
    const frame = Buffer.concat(this.chunks.slice(this.leftChunks)).subarray(
      this.leftOfChunk,
      this.leftOfChunk + end - this.leftBytes,
    );
    const { framing } = this.release;
    const halves = cutFrame(framing.sourceOf(frame), piece, at);
    if (halves === null) return;
    const [first, rest] = halves.map((half) => framing.rewrite(frame, half)) as [Buffer, Buffer];
    this.cut = { end, first, rest };
    pieces.push(first);
  }

  get hasLeft(): boolean {
    return this.leftBytes > 0 || this.cut !== null;
  }

  /** As the provider sent it. */
  left(): Buffer {
    const whole = Buffer.concat(this.chunks).subarray(0, this.leftBytes);
    return this.cut === null ? whole : Buffer.concat([whole, this.cut.first]);
  }

  /** What arrived and did not leave, as the provider sent it. */
  rest(): Buffer {
    const whole = Buffer.concat(this.chunks);
    return this.cut === null
      ? whole.subarray(this.leftBytes)
      : Buffer.concat([this.cut.rest, whole.subarray(this.cut.end)]);
  }

  /** What of the whole body, with values put back, has not left. */
  restOf(body: Buffer | string): Buffer {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    const { cut, grownBy } = this;
    return cut === null
      ? bytes.subarray(this.leftBytes + grownBy)
      : Buffer.concat([cut.rest, bytes.subarray(cut.end + grownBy)]);
  }
}

/** A client that reads slowly does not make work that blocks others. */
const MAX_UNREAD = 16_384;
