import type { Ruleset, Workspace } from '../detection/index.ts';
import { EVENT_STREAM, type ToolCall, type WireFormat } from '../providers/index.ts';
import { finish, type Steps, type TextSlot } from '../text/index.ts';
import { cutFrame, type Framing } from './frames.ts';
import { LiveRelease } from './live-release.ts';
import { createRestore, type ValuesToRestore } from './restore.ts';
import { createTextGates } from './text-gates.ts';

export interface StreamToRelease {
  readonly format: WireFormat;
  /** The framing of streams that are not server-sent events. */
  readonly framing?: Framing | undefined;
  /** Resolved for this request. */
  readonly ruleset: Ruleset;
  /** The developer's texts. */
  readonly systemSlots?: readonly TextSlot[] | undefined;
  readonly workspace: Workspace;
  /** The masked values of the request, to be restored. */
  readonly restores?: ValuesToRestore | null | undefined;
  /** Whether tool calls can be released before the verdict on the whole response; absent: none can. */
  readonly mayCall?: ((calls: readonly ToolCall[]) => boolean) | undefined;
}

/** True if frames of this format can be read one by one. */
export function canRelease(format: WireFormat, framing?: Framing): boolean {
  return (framing !== undefined || format.streamType === EVENT_STREAM) && format.readFrames() !== null;
}

/** Creates the release of a stream. Throws if frames of this format cannot be read one by one. */
export function createRelease({
  format,
  framing,
  ruleset,
  systemSlots,
  workspace,
  restores,
  mayCall,
}: StreamToRelease): LiveRelease {
  const frames = format.readFrames();
  if (frames === null || !canRelease(format, framing))
    throw new Error('streams of this format are not read frame by frame');
  const gates = createTextGates(ruleset, { systemSlots, workspace });
  const restoring =
    restores == null || restores.values.size === 0
      ? null
      : {
          restore: createRestore(restores, []),
          gates: createTextGates(ruleset, { systemSlots, workspace, isAttacksOnly: true }),
        };
  return new LiveRelease({
    ...{ frames, framing, gates, restoring },
    mayCall: mayCall && ((text) => mayCall(format.readStreamCalls(text))),
  });
}

/** The bytes of an arriving stream, and how many of them were released. */
export class LiveStream {
  private readonly release: LiveRelease;
  private readonly onHeld: (characters: number) => void;
  private readonly chunks: Buffer[] = [];
  /** The number of chunks that were read, and of bytes that were not. */
  private readCount = 0;
  private unreadBytes = 0;
  /** True from the first step of reading to the last one. */
  isReading = false;
  /** The number of whole chunks released, of bytes released of the next chunk, and of bytes in total. */
  private releasedChunks = 0;
  private releasedOfChunk = 0;
  private releasedBytes = 0;
  /** How many more bytes were released because values were restored. */
  private grownBy = 0;
  /** The frame after them, if its first half was released. */
  private cut: { readonly end: number; readonly first: Buffer; readonly rest: Buffer } | null = null;
  /** The end of the last frame that was tried for splitting. */
  private uncut = 0;

  /** `onHeld`: receives the number of characters that arrived and were not released. */
  constructor(release: LiveRelease, onHeld: (characters: number) => void) {
    this.release = release;
    this.onHeld = onHeld;
  }

  push(chunk: Buffer): void {
    this.add(chunk);
    if (this.unreadBytes > MAX_UNREAD) finish(this.readInSteps());
  }

  /** Keeps a chunk that is read later. */
  protected add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.unreadBytes += chunk.length;
  }

  /** Reads all unread chunks together, and those that arrive meanwhile. */
  protected *readInSteps(): Steps<void> {
    if (this.unreadBytes === 0 || this.isReading) return;
    this.isReading = true;
    while (this.readCount < this.chunks.length) {
      yield* this.release.pushInSteps(this.chunks[this.readCount++]!);
      this.onChunkRead();
    }
    this.unreadBytes = 0;
    this.isReading = false;
    this.onHeld(this.release.heldCharacters);
  }

  protected onChunkRead(): void {}

  /** Returns the bytes that can be released now; null: none. */
  take(): Buffer | null {
    finish(this.readInSteps());
    return this.takeRead();
  }

  /** Returns those of the bytes that were read. */
  protected takeRead(): Buffer | null {
    const pieces: Buffer[] = [];
    const { released } = this.release;
    if (this.cut !== null && released >= this.cut.end) {
      pieces.push(this.cut.rest);
      this.advance(this.cut.end);
      this.cut = null;
    }
    if (this.cut === null && released > this.releasedBytes) {
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

  /** Returns the chunks up to `end` and marks them as released. */
  private advance(end: number): Buffer[] {
    const pieces: Buffer[] = [];
    while (this.releasedBytes < end) {
      const chunk = this.chunks[this.releasedChunks]!;
      const until = Math.min(chunk.length, this.releasedOfChunk + end - this.releasedBytes);
      pieces.push(chunk.subarray(this.releasedOfChunk, until));
      this.releasedBytes += until - this.releasedOfChunk;
      this.releasedOfChunk = until;
      if (until < chunk.length) break;
      this.releasedChunks++;
      this.releasedOfChunk = 0;
    }
    return pieces;
  }

  private canCut(): boolean {
    const { part } = this.release;
    return this.cut === null && part !== null && part.end > this.uncut;
  }

  /** Splits the frame that cannot be released whole. */
  private cutNext(pieces: Buffer[]): void {
    const { end, piece, at } = this.release.part!;
    this.uncut = end;
    const frame = Buffer.concat(this.chunks.slice(this.releasedChunks)).subarray(
      this.releasedOfChunk,
      this.releasedOfChunk + end - this.releasedBytes,
    );
    const { framing } = this.release;
    const halves = cutFrame(framing.sourceOf(frame), piece, at);
    if (halves === null) return;
    const [first, rest] = halves.map((half) => framing.rewrite(frame, half)) as [Buffer, Buffer];
    this.cut = { end, first, rest };
    pieces.push(first);
  }

  get hasReleased(): boolean {
    return this.releasedBytes > 0 || this.cut !== null;
  }

  /** The released bytes, as the provider sent them. */
  released(): Buffer {
    const whole = Buffer.concat(this.chunks).subarray(0, this.releasedBytes);
    return this.cut === null ? whole : Buffer.concat([whole, this.cut.first]);
  }

  /** The bytes that arrived and were not released, as the provider sent them. */
  rest(): Buffer {
    const whole = Buffer.concat(this.chunks);
    return this.cut === null
      ? whole.subarray(this.releasedBytes)
      : Buffer.concat([this.cut.rest, whole.subarray(this.cut.end)]);
  }

  /** Returns the part of the whole body, with restored values, that was not released. */
  restOf(body: Buffer | string): Buffer {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    const { cut, grownBy } = this;
    return cut === null
      ? bytes.subarray(this.releasedBytes + grownBy)
      : Buffer.concat([cut.rest, bytes.subarray(cut.end + grownBy)]);
  }
}

/** With a slow client, chunks are read in small batches, so that the work does not block other requests. */
const MAX_UNREAD = 16_384;
