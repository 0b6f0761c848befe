import {
  beginsCall,
  type FrameReader,
  type FrameTexts,
  type Growth,
  readCallEdges,
} from '../providers/index.ts';
import { finish, type Replacement, type SlotRole, type Steps } from '../text/index.ts';
import { eventFraming, type Framing } from './frames.ts';
import type { RestoreValue } from './placeholder-text.ts';
import { RestoringGate } from './restore.ts';
import { restoreInFrame, shortPieces } from './restore-values.ts';
import type { TextGate, TextGates } from './text-gates.ts';

export interface LiveReleaseDeps {
  readonly frames: FrameReader;
  /** Absent: server-sent events. */
  readonly framing?: Framing | undefined;
  readonly gates: TextGates;
  /** Set if values of the request are restored: how, and the gates of the restored texts. */
  readonly restoring?: { readonly restore: RestoreValue; readonly gates: TextGates } | null;
  /**
   * Whether the tool calls in these frames can be released, as far as other rules than those for texts decide. Absent:
   * none can before the verdict on the whole response.
   */
  readonly mayCall?: ((frames: string) => boolean) | undefined;
}

/** A frame that is released with restored values. */
export interface ChangedFrame {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

interface OpenText {
  gate: TextGate | RestoringGate;
  length: number;
  released: number;
  /** The length of its part in released frames. */
  releasedInFrames: number;
}

/** A frame that can be released in part: the first `at` characters of its delta. */
export interface PartOfFrame {
  readonly end: number;
  readonly piece: string;
  readonly at: number;
}

/** The frames from the start of a call to its end, none of which is released before the whole call was evaluated. */
interface OpenCall {
  /** The positions of calls that have not ended: several can be open at once. */
  readonly places: Set<string>;
  readonly arguments: Map<OpenText, string>;
  mayLeave: boolean;
}

/** A frame that was not released, and the lengths up to which its texts must be released first. */
interface HeldFrame {
  readonly start: number;
  readonly end: number;
  /** Empty if nothing is restored. */
  readonly source: Buffer;
  readonly call: OpenCall | null;
  readonly needs: readonly { readonly text: OpenText; readonly length: number; readonly piece: string }[];
  readonly thoughts: readonly string[];
}

/** The minimum part that a frame is split for, except at the start of a text. */
const MIN_PART = 120;
/** Longer frames wait for the whole response. */
const MAX_FRAME_BYTES = 65_536;
/** Of all frames of one call. */
const MAX_CALL_BYTES = 262_144;
/** All calls so far are evaluated again with each complete one, so further ones wait for the whole response. */
const MAX_JUDGED = 16;

/**
 * Determines how many bytes of an arriving event stream can be released: whole frames, in order, each as soon as every
 * text in it is released. From the first frame that contains more than texts, everything is held for the verdict on the
 * whole response.
 */
export class LiveRelease {
  /** The number of bytes that can be released. */
  released = 0;
  readonly framing: Framing;
  private readonly deps: LiveReleaseDeps;
  private readonly texts = new Map<number, OpenText>();
  /** The texts that the last frame with text continued. */
  private current: readonly OpenText[] = [];
  private readonly held: HeldFrame[] = [];
  private changed: ChangedFrame[] = [];
  private first = 0;
  private tail: Buffer = Buffer.alloc(0);
  private room: Buffer = Buffer.alloc(0);
  /** Offsets in the stream of the start of the tail, and up to which no end of a frame was found. */
  private tailStart = 0;
  private searched = 0;
  private isClosed = false;
  /** True if frames read from now on are not released any more. */
  private isStuck = false;
  /** The open call, and all frames of calls so far. */
  private call: OpenCall | null = null;
  private calls = '';
  private judged = 0;

  constructor(deps: LiveReleaseDeps) {
    this.deps = deps;
    this.framing = deps.framing ?? eventFraming;
  }

  /** The number of characters that arrived and were not released. */
  get heldCharacters(): number {
    let held = 0;
    for (const { length, releasedInFrames } of this.texts.values()) held += length - releasedInFrames;
    return held;
  }

  /** The part that can be released of the first frame that cannot be released whole. */
  get part(): PartOfFrame | null {
    const frame = this.held[this.first];
    const piece = frame?.needs[0]?.piece;
    // Values may be restored in the rest of it.
    if (frame === undefined || piece === undefined || this.deps.restoring != null) return null;
    let at = piece.length;
    for (const need of frame.needs) {
      if (need.piece !== piece) return null;
      at = Math.min(at, piece.length - (need.length - need.text.released));
    }
    const isFirst = frame.needs.every(({ text }) => text.releasedInFrames === 0);
    return at > 0 && at < piece.length && (isFirst || at >= MIN_PART) ? { end: frame.end, piece, at } : null;
  }

  /** Returns the changed frames among those released since the last call. */
  takeChanged(): readonly ChangedFrame[] {
    if (this.changed.length === 0) return NO_CHANGES;
    const { changed } = this;
    this.changed = [];
    return changed;
  }

  push(chunk: Buffer): number {
    finish(this.pushInSteps(chunk));
    return this.released;
  }

  /** Does the same in steps; what was released is known between them. */
  *pushInSteps(chunk: Buffer): Steps<void> {
    if (!this.isClosed) yield* this.readFrames(chunk);
    yield* this.release();
  }

  private *readFrames(chunk: Buffer): Steps<void> {
    this.tail = this.withTail(chunk);
    let start = 0;
    for (;;) {
      const end = this.framing.endOfFrame(this.tail, start, this.searched);
      if (end === -1) break;
      yield* this.readFrame(this.tail.subarray(start, end), this.tailStart + start);
      if (this.isClosed) return;
      yield;
      start = end;
      this.searched = end;
    }
    this.tail = this.tail.subarray(start);
    this.tailStart += start;
    // The last bytes may be the beginning of a frame's end.
    this.searched = Math.max(0, this.tail.length - 3);
    if (this.tail.length > MAX_FRAME_BYTES) this.close();
  }

  /** Appends a chunk to the tail, in a buffer that grows, so that many tiny chunks cost as much as few large ones. */
  private withTail(chunk: Buffer): Buffer {
    const { tail } = this;
    if (tail.length === 0) return chunk;
    const length = tail.length + chunk.length;
    const isOwn = tail.buffer === this.room.buffer;
    let start = isOwn ? tail.byteOffset - this.room.byteOffset : 0;
    if (!isOwn || start + length > this.room.length) {
      this.room = Buffer.allocUnsafeSlow(2 * length);
      tail.copy(this.room);
      start = 0;
    }
    chunk.copy(this.room, start + tail.length);
    return this.room.subarray(start, start + length);
  }

  private *readFrame(bytes: Buffer, start: number): Steps<void> {
    const text = this.framing.read(bytes);
    const read = text === null ? null : this.deps.frames.read(text);
    if (read === null || read.isMore || !(yield* this.mayRead(text!, read))) {
      this.close();
      return;
    }
    const texts = read.grown.map((one) => this.textOf(one));
    if (texts.length > 0) this.turnTo(texts);
    const needs: HeldFrame['needs'][number][] = [];
    for (const [at, { piece }] of read.grown.entries()) needs.push(yield* grow(texts[at]!, piece));
    const { call } = this;
    // The bytes are in a buffer that is overwritten.
    const source = this.deps.restoring == null ? NOTHING : Buffer.from(bytes);
    this.held.push({ start, end: start + bytes.length, source, call, needs, thoughts: read.thoughts });
    if (call !== null) yield* this.readCall(call, text!, read, texts);
  }

  /** True if the complete texts of a frame can be released. If calls are evaluated, the frame may also begin a call. */
  private *mayRead(text: string, { whole, isAlike }: FrameTexts): Steps<boolean> {
    if (!isAlike && this.call === null && beginsCall(text)) {
      if (this.deps.mayCall === undefined || this.deps.restoring != null) return false;
      this.call = { places: new Set(), arguments: new Map(), mayLeave: false };
    }
    if (this.call === null && whole.some(({ role }) => role === 'tool_call')) return false;
    return yield* this.mayAllLeave(whole);
  }

  private *mayAllLeave(texts: FrameTexts['whole']): Steps<boolean> {
    for (const { role, text } of texts) {
      if (!this.deps.gates.mayLeave(role, text)) return false;
      yield;
    }
    return true;
  }

  private *readCall(
    call: OpenCall,
    text: string,
    { grown, isAlike }: FrameTexts,
    texts: readonly OpenText[],
  ): Steps<void> {
    this.calls += text;
    for (const [at, { role, piece }] of grown.entries()) {
      const one = texts[at]!;
      if (role === 'tool_call') call.arguments.set(one, (call.arguments.get(one) ?? '') + piece);
    }
    if (this.calls.length > MAX_CALL_BYTES) this.close();
    if (isAlike || this.isClosed) return;
    const { begun, ended } = readCallEdges(text);
    for (const place of begun) call.places.add(place);
    for (const place of ended) call.places.delete(place);
    if (call.places.size === 0) yield* this.judge(call);
  }

  /** Evaluates the complete calls: they are released whole, or wait for the whole response. */
  private *judge(call: OpenCall): Steps<void> {
    this.call = null;
    const areHarmless = yield* this.areHarmless(call.arguments.values());
    call.mayLeave = areHarmless && ++this.judged <= MAX_JUDGED && this.deps.mayCall!(this.calls);
    if (!call.mayLeave) this.close();
    else for (const text of call.arguments.keys()) end(text);
  }

  private *areHarmless(argumentTexts: Iterable<string>): Steps<boolean> {
    for (const text of argumentTexts) {
      const { whole, isMore } = this.deps.frames.readWhole('tool_call', text);
      yield;
      if (isMore || !(yield* this.mayAllLeave(whole))) return false;
    }
    return true;
  }

  /** Continues `texts`; the texts that continued before may have ended. */
  private turnTo(texts: readonly OpenText[]): void {
    for (const text of this.current) if (!texts.includes(text)) text.released = text.gate.pause();
    this.current = texts;
  }

  private textOf(growth: Growth): OpenText {
    let text = this.texts.get(growth.text);
    if (text === undefined) {
      text = this.openText(growth);
      this.texts.set(growth.text, text);
    }
    return text;
  }

  private openText({ role, behind, isThought }: Growth): OpenText {
    const before = behind == null ? behind : this.texts.get(behind)?.gate;
    let gate: OpenText['gate'];
    if (behind === undefined) gate = this.openGate(role, isThought);
    // a value may be restored across the two texts
    else gate = this.deps.restoring == null ? this.deps.gates.open(role, before ?? null) : CLOSED;
    return { gate, length: 0, released: 0, releasedInFrames: 0 };
  }

  private openGate(role: SlotRole, isThought: boolean | undefined): OpenText['gate'] {
    const { gates, restoring } = this.deps;
    const sent = gates.open(role);
    if (restoring == null || isThought === true) return sent;
    const both = { sent, restored: restoring.gates.open(role) };
    return new RestoringGate(both, restoring.restore, role === 'tool_call');
  }

  private *release(): Steps<void> {
    for (; this.first < this.held.length; this.first++) {
      yield;
      const frame = this.held[this.first]!;
      const { end, call, needs } = frame;
      if (call?.mayLeave === false || needs.some(isHeld) || !(yield* this.mayBeRestored(frame))) break;
      for (const { text, length } of needs) text.releasedInFrames = length;
      this.released = end;
    }
    if (this.first < 1_024) return;
    this.held.splice(0, this.first);
    this.first = 0;
  }

  /** Restores values in a frame to release; false: a text that contains one waits for the whole response. */
  private *mayBeRestored({ start, end, source, needs, thoughts }: HeldFrame): Steps<boolean> {
    const { restoring } = this.deps;
    if (restoring == null || this.isStuck) return !this.isStuck;
    const pieces = needs.map(({ text, length, piece }) => ({
      piece,
      changes: changesOf(text.gate, length - piece.length, piece.length),
    }));
    const written = this.framing.sourceOf(source);
    const { frame, others } = yield* restoreInFrame(written, pieces, restoring.restore, thoughts);
    this.isStuck = !others.every((text) => restoring.gates.mayLeave('assistant', text));
    if (!this.isStuck && frame !== written)
      this.changed.push({ start, end, bytes: this.framing.rewrite(source, frame) });
    return !this.isStuck;
  }

  /** Holds everything that arrives from now on. */
  private close(): void {
    this.isClosed = true;
    this.tail = Buffer.alloc(0);
    this.room = this.tail;
  }
}

function* grow(text: OpenText, piece: string): Steps<HeldFrame['needs'][number]> {
  text.length += piece.length;
  for (const part of shortPieces(piece)) {
    text.released = text.gate.push(part);
    yield;
  }
  return { text, length: text.length, piece };
}

/** Marks a text as released; further text in it is held. */
function end(text: OpenText): void {
  const { length } = text;
  text.gate = { push: () => length, pause: () => length };
  text.released = length;
}

const isHeld = ({ text, length }: HeldFrame['needs'][number]): boolean => text.released < length;

function changesOf(gate: OpenText['gate'], start: number, length: number): Replacement[] {
  return gate instanceof RestoringGate ? gate.changesOf(start, length) : [];
}

const NO_CHANGES: readonly ChangedFrame[] = [];
const NOTHING = Buffer.alloc(0);
const CLOSED: TextGate = { push: () => 0, pause: () => 0 };
