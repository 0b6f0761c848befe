import type { SlotRole } from '../../text/index.ts';
import type { Tokens } from './read-tokens.ts';
import type { TextCollector } from './text-collector.ts';

/** The state of a stream that is being read. */
export interface Stream {
  /** Texts that are complete in their frame. */
  readonly rest: TextCollector;
  readonly root: Accumulator;
  /** Names and labels, each once. */
  readonly labels: Set<string>;
  /** The provider's values in positions of identifiers, each once. */
  readonly identifiers: Set<string>;
  readonly tokens: Tokens;
  model: string | null;
  /** Number of opened blocks, for clients that count them. */
  blocks: number;
  /** Number of blocks ended in order, if frames report each end. */
  ended: number;
  /** Type of the frame that ends the last opened block; null if it has arrived. */
  closing: string | null;
  /** True if a block was opened before the previous one had ended: then clients may show texts in another order. */
  isInterleaved: boolean;
  /** Blocks by their index, from the first one whose index is not its number. */
  byIndex: Accumulator | null;
  /** True if the first of repeated members is read, as some clients do, and not the last. */
  readonly takesFirst: boolean;
  /** True if a frame repeated a member. */
  isRepeating: boolean;
  /** Number of additions to accumulators by the frame being read, and the last of them. */
  readonly added: Added;
  /** Number of items and members that were read, for pauses. */
  items: number;
  /** Template for consecutive similar frames; null if the last frame has none. */
  template: FrameTemplate | null;
}

interface Added {
  times: number;
  accumulator: Accumulator;
  text: string;
}

/** A text that arrives in pieces, and the accumulators below it. */
export interface Accumulator {
  readonly role: SlotRole;
  text: string;
  inner: Map<string | number, Accumulator> | null;
  /** What the model thinks. */
  isThought?: boolean;
}

/** A frame without its one text, which goes to an accumulator: most frames of most providers differ in it alone. */
export interface FrameTemplate {
  /** The JSON before the text, including its opening quote, and after it, including its closing quote. */
  readonly head: string;
  readonly tail: string;
  readonly accumulator: Accumulator;
}

/** Returns an independent copy of an accumulator. */
export function copyOf({ inner, ...own }: Accumulator): Accumulator {
  return { ...own, inner: inner && new Map([...inner].map(([name, below]) => [name, copyOf(below)])) };
}

/** Appends a piece from a frame. */
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
    if (accumulator.isThought === true) inner.isThought = true;
    accumulator.inner.set(name, inner);
  }
  return inner;
}
