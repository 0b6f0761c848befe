import { AMAZON_STREAM, EVENT_STREAM } from '@csg/shared/providers';
import { type LiveRelease, LiveStream } from '@csg/shared/streaming';
import { atOnce, type Pace } from '@csg/shared/text';
import type { RawResponse, ResponseObserver } from '../../upstream/gather-response.ts';
import { readResponseKind } from '../../upstream/response-kind.ts';
import { isAmazonStream } from '../../upstream/stream-text.ts';
import type { Pieces } from './stream-body.ts';

export type LiveHead = Pick<RawResponse, 'status' | 'headers'>;

/** A provider's stream as it arrives, and the part of it that was already sent. */
export class LiveSource extends LiveStream implements ResponseObserver, Pieces {
  /** Resolves with the head if the stream can be relayed live; never resolves for other responses. */
  readonly head: Promise<LiveHead>;
  private readonly begin: (head: LiveHead) => void;
  private response: LiveHead | null = null;
  private waiting = Promise.withResolvers<void>();
  /** Time of the last sent piece, the number of pieces sent, and the timer for the next one. */
  private releasedMs = Number.NEGATIVE_INFINITY;
  private pieces = 0;
  private gathering: NodeJS.Timeout | null = null;

  private readonly streamType: string;
  private readonly pace: Pace;
  private failure: { readonly cause: unknown } | null = null;

  /**
   * `onHeld`: called with the number of characters that were not sent; `streamType`: the endpoint's content type.
   * `pace`: a provider can send much at once.
   */
  constructor(
    release: LiveRelease,
    onHeld: (characters: number) => void,
    streamType = EVENT_STREAM,
    pace = atOnce,
  ) {
    super(release, onHeld);
    this.streamType = streamType;
    this.pace = pace;
    const { promise, resolve } = Promise.withResolvers<LiveHead>();
    this.head = promise;
    this.begin = resolve;
  }

  onHead(status: number, headers: RawResponse['headers']): void {
    if (status !== 200 || headers['content-encoding'] !== undefined) return;
    if (readResponseKind(headers['content-type'], NOTHING, this.streamType) !== 'event-stream') return;
    if (isAmazonStream(headers['content-type']) !== (this.streamType === AMAZON_STREAM)) return;
    this.response = { status, headers };
    this.begin(this.response);
  }

  onData(chunk: Buffer): void {
    if (this.response === null) return;
    this.add(chunk);
    if (this.gathering !== null) return;
    const ms = this.releasedMs + this.gatherMs - performance.now();
    if (ms <= 0) this.wake();
    else this.gathering = setTimeout(this.wake, ms);
  }

  private get gatherMs(): number {
    return Math.min(GATHER_MS, FIRST_GATHER_MS * this.pieces);
  }

  /** Returns what can be sent now; null if nothing. `isLast`: includes data that waits for more to follow. */
  override take(isLast = false): Buffer | null {
    if (!isLast && this.gathering !== null) return null;
    if (this.failure !== null) throw this.failure.cause;
    const piece = this.takeRead();
    if (piece === null) return null;
    this.stopGathering();
    this.releasedMs = performance.now();
    this.pieces++;
    return piece;
  }

  private stopGathering(): void {
    if (this.gathering !== null) clearTimeout(this.gathering);
    this.gathering = null;
  }

  get headers(): RawResponse['headers'] {
    return this.response?.headers ?? {};
  }

  async more(): Promise<void> {
    await this.waiting.promise;
    this.waiting = Promise.withResolvers();
  }

  protected override onChunkRead(): void {
    this.waiting.resolve();
  }

  readonly wake = (): void => {
    this.stopGathering();
    this.pace(this.readInSteps())
      .catch((cause) => {
        this.failure = { cause };
        this.isReading = false;
      })
      .then(() => this.waiting.resolve());
  };
}

const NOTHING = Buffer.alloc(0);
/**
 * Data that arrives this soon after a piece is sent with the next one, because each piece is a packet. The delay grows
 * with each piece, so that the first words are sent as they arrive.
 */
const FIRST_GATHER_MS = 4;
const GATHER_MS = 50;
