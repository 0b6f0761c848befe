import type { SlotRole } from '../../text/index.ts';
import type { FrameForm } from './frame-form.ts';
import type { Tokens } from './read-tokens.ts';
import type { Reading } from './reading.ts';

/** What a stream has said so far. */
export interface Stream {
  /** What is complete in its frame. */
  readonly rest: Reading;
  readonly root: Strand;
  /** Names and the like, each once. */
  readonly labels: Set<string>;
  /** What the vendor says in the place of an identifier, each once. */
  readonly identifiers: Set<string>;
  readonly tokens: Tokens;
  model: string | null;
  /** Blocks that were opened so far, for clients that count them. */
  blocks: number;
  /** Blocks by the index they name, from where that is not the number of those before them. */
  byIndex: Strand | null;
  /** What the deltas of the frame being read have added to strands: how often, and the last of it. */
  readonly added: Added;
  /** Of the frames that come one after another; null where the last one has none. */
  form: FrameForm | null;
}

interface Added {
  times: number;
  strand: Strand;
  text: string;
}

/** A text that arrives in pieces, and the strands below it. */
export interface Strand {
  readonly role: SlotRole;
  text: string;
  inner: Map<string | number, Strand> | null;
}

/** A strand as it stands, which grows by itself from now on. */
export function copyOf({ role, text, inner }: Strand): Strand {
  return { role, text, inner: inner && new Map([...inner].map(([name, below]) => [name, copyOf(below)])) };
}

/** Adds a piece that a frame brings. */
export function addTo(stream: Stream, strand: Strand, text: string): void {
  strand.text += text;
  if (text === '') return;
  stream.added.times++;
  stream.added.strand = strand;
  stream.added.text = text;
}

export function newStrand(role: SlotRole): Strand {
  return { role, text: '', inner: null };
}

export function strandOf(strand: Strand, name: string | number, role: SlotRole): Strand {
  strand.inner ??= new Map();
  let inner = strand.inner.get(name);
  if (inner === undefined) {
    inner = newStrand(role);
    strand.inner.set(name, inner);
  }
  return inner;
}
