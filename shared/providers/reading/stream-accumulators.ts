import type { SlotRole } from '../../text/index.ts';
import type { Tokens } from './read-tokens.ts';
import type { TextCollector } from './text-collector.ts';

/** What a stream has said so far. */
export interface Stream {
  /** What is complete in its frame. */
  readonly rest: TextCollector;
  readonly root: Accumulator;
  /** Names and the like, each once. */
  readonly labels: Set<string>;
  /** What the provider says in the place of an identifier, each once. */
  readonly identifiers: Set<string>;
  readonly tokens: Tokens;
  model: string | null;
  /** Blocks that were opened so far, for clients that count them. */
  blocks: number;
  /** Blocks that have ended one after another, if frames say so of each. */
  ended: number;
  /** The type of the frame that ends the block which was opened last; null if it has come. */
  closing: string | null;
  /** A block was opened before the one before it had ended: what clients show first may come last. */
  isInterleaved: boolean;
  /** Blocks by the index they name, from where that is not the number of those before them. */
  byIndex: Accumulator | null;
  /** What the deltas of the frame being read have added to strands: how often, and the last of it. */
  readonly added: Added;
  /** Of the frames that come one after another; null where the last one has none. */
  template: FrameTemplate | null;
}

interface Added {
  times: number;
  accumulator: Accumulator;
  text: string;
}

/** A text that arrives in pieces, and the strands below it. */
export interface Accumulator {
  readonly role: SlotRole;
  text: string;
  inner: Map<string | number, Accumulator> | null;
}

/** A frame without one text, which is appended to an accumulator: most frames of most providers differ in it alone. */
export interface FrameTemplate {
  /** JSON before the text, up to its opening quote, and from its closing quote on. */
  readonly head: string;
  readonly tail: string;
  readonly accumulator: Accumulator;
}

/** A strand as it stands, which grows by itself from now on. */
export function copyOf({ role, text, inner }: Accumulator): Accumulator {
  return { role, text, inner: inner && new Map([...inner].map(([name, below]) => [name, copyOf(below)])) };
}

/** Adds a piece that a frame brings. */
export function addTo(stream: Stream, accumulator: Accumulator, text: string): void {
  accumulator.text += text;
  if (text === '') return;
  stream.added.times++;
  stream.added.accumulator = accumulator;
  stream.added.text = text;
}

export function newAccumulator(role: SlotRole): Accumulator {
  return { role, text: '', inner: null };
}

export function accumulatorOf(accumulator: Accumulator, name: string | number, role: SlotRole): Accumulator {
  accumulator.inner ??= new Map();
  let inner = accumulator.inner.get(name);
  if (inner === undefined) {
    inner = newAccumulator(role);
    accumulator.inner.set(name, inner);
  }
  return inner;
}
