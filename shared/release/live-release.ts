import type { TextGate, TextGates } from '../detection/index.ts';
import {
  beginsCall,
  type FrameReader,
  type FrameTexts,
  type Growth,
  type RestoreValue,
  readCallEdges,
  restoreInFrame,
} from '../providers/index.ts';
import type { Replacement, SlotRole } from '../text/index.ts';
import { eventFraming, type Framing } from './framing.ts';
import { RestoringGate } from './restoring-gate.ts';

export interface LiveReleaseDeps {
  readonly frames: FrameReader;
  /** Absent: server-sent events. */
  readonly framing?: Framing | undefined;
  readonly gates: TextGates;
  /** Values of the request are put back: how, and the gates of the texts as they then are. */
  readonly restoring?: { readonly restore: RestoreValue; readonly gates: TextGates } | null;
  /**
   * Whether calls of tools can leave, by whatever decides on calls beside their texts: all those in these frames.
   * Absent: none leaves before the verdict on the whole.
   */
  readonly mayCall?: ((frames: string) => boolean) | undefined;
}

/** A frame that leaves in another spelling. */
export interface ChangedFrame {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

interface OpenText {
  gate: TextGate | RestoringGate;
  length: number;
  released: number;
  /** Of it, what stood in frames that could leave. */
  left: number;
}

/** A frame of which a part can leave: so many characters of its one delta. */
export interface PartOfFrame {
  readonly end: number;
  readonly piece: string;
  readonly at: number;
}

/** Frames from the beginning of a call to its end, none of which leaves before the whole call was judged. */
interface OpenCall {
  /** Of those that have not ended: calls may be open side by side. */
  readonly places: Set<string>;
  readonly arguments: Map<OpenText, string>;
  mayLeave: boolean;
}

/** A frame that has not left, and up to where texts have to be released for that. */
interface HeldFrame {
  readonly start: number;
  readonly end: number;
  /** Empty if nothing is put back. */
  readonly source: Buffer;
  readonly call: OpenCall | null;
  readonly needs: readonly { readonly text: OpenText; readonly length: number; readonly piece: string }[];
}

/** A frame is cut for so many characters, or for the first of a text. */
const MIN_PART = 120;
/** Longer frames wait for the whole response. */
const MAX_FRAME_BYTES = 262_144;
/** All calls so far are judged with each that is complete; later ones wait for the whole response. */
const MAX_JUDGED = 16;

/**
 * Says of an event stream, as it arrives, how many of its bytes can leave: whole frames, in their order, each as soon as
 * every text in it is released. From a frame on that says more than texts, all is held for the verdict on the whole.
 */
export class LiveRelease {
  /** So many bytes can leave. */
  released = 0;
  readonly framing: Framing;
  private readonly deps: LiveReleaseDeps;
  private readonly texts = new Map<number, OpenText>();
  /** Those that the last frame with text went on with. */
  private current: readonly OpenText[] = [];
  private readonly held: HeldFrame[] = [];
  private changed: ChangedFrame[] = [];
  private first = 0;
  private tail: Buffer = Buffer.alloc(0);
  private room: Buffer = Buffer.alloc(0);
  /** Of the stream, where the tail begins, and where a frame's end was looked for. */
  private tailStart = 0;
  private searched = 0;
  private isClosed = false;
  /** What is read from now on is released no more. */
  private isStuck = false;
  /** The call that has begun, and all frames of calls so far. */
  private call: OpenCall | null = null;
  private calls = '';
  private judged = 0;

  constructor(deps: LiveReleaseDeps) {
    this.deps = deps;
    this.framing = deps.framing ?? eventFraming;
  }

  /** Characters that arrived and did not leave. */
  get heldCharacters(): number {
    let held = 0;
    for (const { length, left } of this.texts.values()) held += length - left;
    return held;
  }

  /** What can leave of the first frame that cannot leave whole. */
  get part(): PartOfFrame | null {
    const frame = this.held[this.first];
    const piece = frame?.needs[0]?.piece;
    // Into the rest of it values may be put back.
    if (frame === undefined || piece === undefined || this.deps.restoring != null) return null;
    let at = piece.length;
    for (const need of frame.needs) {
      if (need.piece !== piece) return null;
      at = Math.min(at, piece.length - (need.length - need.text.released));
    }
    const isFirst = frame.needs.every(({ text }) => text.left === 0);
    return at > 0 && at < piece.length && (isFirst || at >= MIN_PART) ? { end: frame.end, piece, at } : null;
  }

  /** Of what can leave since this was asked for. */
  takeChanged(): readonly ChangedFrame[] {
    if (this.changed.length === 0) return NO_CHANGES;
    const { changed } = this;
    this.changed = [];
    return changed;
  }

  push(chunk: Buffer): number {
    if (!this.isClosed) this.readFrames(chunk);
    this.release();
    return this.released;
  }

  private readFrames(chunk: Buffer): void {
    this.tail = this.withTail(chunk);
    let start = 0;
    for (;;) {
      const end = this.framing.endOfFrame(this.tail, start, this.searched);
      if (end === -1) break;
      this.readFrame(this.tail.subarray(start, end), this.tailStart + start);
      if (this.isClosed) return;
      start = end;
      this.searched = end;
    }
    this.tail = this.tail.subarray(start);
    this.tailStart += start;
    // The last bytes may begin the end of a frame.
    this.searched = Math.max(0, this.tail.length - 3);
    if (this.tail.length > MAX_FRAME_BYTES) this.close();
  }

  /** The tail with a chunk behind it, which is copied into room that grows, so that tiny chunks cost what large ones do. */
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

  private readFrame(bytes: Buffer, start: number): void {
    const text = this.framing.read(bytes);
    const read = text === null ? null : this.deps.frames.read(text);
    if (read === null || read.isMore || !this.mayRead(text!, read)) {
      this.close();
      return;
    }
    const texts = read.grown.map((one) => this.textOf(one));
    if (texts.length > 0) this.turnTo(texts);
    const needs = read.grown.map(({ piece }, at) => grow(texts[at]!, piece));
    const { call } = this;
    // the bytes stand in room that is written again
    const source = this.deps.restoring == null ? NOTHING : Buffer.from(bytes);
    this.held.push({ start, end: start + bytes.length, source, call, needs });
    if (call !== null) this.readCall(call, text!, read, texts);
  }

  /** Whether what is complete in a frame can leave; a call begins with it where calls are judged. */
  private mayRead(text: string, { whole, isAlike }: FrameTexts): boolean {
    if (!isAlike && this.call === null && beginsCall(text)) {
      if (this.deps.mayCall === undefined || this.deps.restoring != null) return false;
      this.call = { places: new Set(), arguments: new Map(), mayLeave: false };
    }
    return whole.every(
      ({ role, text }) =>
        (role !== 'tool_call' || this.call !== null) && this.deps.gates.mayLeave(role, text),
    );
  }

  private readCall(
    call: OpenCall,
    text: string,
    { grown, isAlike }: FrameTexts,
    texts: readonly OpenText[],
  ): void {
    this.calls += text;
    for (const [at, { role, piece }] of grown.entries()) {
      const one = texts[at]!;
      if (role === 'tool_call') call.arguments.set(one, (call.arguments.get(one) ?? '') + piece);
    }
    if (this.calls.length > MAX_FRAME_BYTES) this.close();
    if (isAlike || this.isClosed) return;
    const { begun, ended } = readCallEdges(text);
    for (const place of begun) call.places.add(place);
    for (const place of ended) call.places.delete(place);
    if (call.places.size === 0) this.judge(call);
  }

  /** The calls are complete: they leave whole, or wait for the whole response. */
  private judge(call: OpenCall): void {
    this.call = null;
    const { frames, gates, mayCall } = this.deps;
    const areHarmless = [...call.arguments.values()].every((text) => {
      const { whole, isMore } = frames.readWhole('tool_call', text);
      return !isMore && whole.every((one) => gates.mayLeave(one.role, one.text));
    });
    call.mayLeave = areHarmless && ++this.judged <= MAX_JUDGED && mayCall!(this.calls);
    if (!call.mayLeave) this.close();
    else for (const text of call.arguments.keys()) end(text);
  }

  /** The texts that went on before and do not now may have ended. */
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

  private openText({ role, behind }: Growth): OpenText {
    const before = behind == null ? behind : this.texts.get(behind)?.gate;
    let gate: OpenText['gate'];
    if (behind === undefined) gate = this.openGate(role);
    // a value may be put back across the two
    else gate = this.deps.restoring == null ? this.deps.gates.open(role, before ?? null) : CLOSED;
    return { gate, length: 0, released: 0, left: 0 };
  }

  private openGate(role: SlotRole): OpenText['gate'] {
    const { gates, restoring } = this.deps;
    const sent = gates.open(role);
    if (restoring == null) return sent;
    const both = { sent, restored: restoring.gates.open(role) };
    return new RestoringGate(both, restoring.restore, role === 'tool_call');
  }

  private release(): void {
    for (; this.first < this.held.length; this.first++) {
      const frame = this.held[this.first]!;
      const { end, call, needs } = frame;
      if (call?.mayLeave === false || needs.some(isHeld) || !this.mayBeRestored(frame)) break;
      for (const { text, length } of needs) text.left = length;
      this.released = end;
    }
    if (this.first < 1_024) return;
    this.held.splice(0, this.first);
    this.first = 0;
  }

  /** Puts values back into a frame that leaves; false: what they become part of waits for the whole. */
  private mayBeRestored({ start, end, source, needs }: HeldFrame): boolean {
    const { restoring } = this.deps;
    if (restoring == null || this.isStuck) return !this.isStuck;
    const pieces = needs.map(({ text, length, piece }) => ({
      piece,
      changes: changesOf(text.gate, length - piece.length, piece.length),
    }));
    const written = this.framing.sourceOf(source);
    const { frame, others } = restoreInFrame(written, pieces, restoring.restore);
    this.isStuck = !others.every((text) => restoring.gates.mayLeave('assistant', text));
    if (!this.isStuck && frame !== written)
      this.changed.push({ start, end, bytes: this.framing.rewrite(source, frame) });
    return !this.isStuck;
  }

  /** What arrives from now on is held. */
  private close(): void {
    this.isClosed = true;
    this.tail = Buffer.alloc(0);
    this.room = this.tail;
  }
}

function grow(text: OpenText, piece: string): HeldFrame['needs'][number] {
  text.length += piece.length;
  text.released = text.gate.push(piece);
  return { text, length: text.length, piece };
}

/** What a text that was released whole grows by later waits. */
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
