import { MAX_PIECE } from '../read/tokenized-text.ts';

/** Features are hashed into this many weights per reading. */
export const FEATURE_BITS = 18;
/** The lower half of the weights is for words and word pairs, the upper half for meanings and frames. */
export const HALF = 1 << (FEATURE_BITS - 1);
const MASK = HALF - 1;

/** Bits above the index: how many units before the feature's unit its first word is. */
export const BACK_SHIFT = FEATURE_BITS;
export const INDEX_MASK = (1 << FEATURE_BITS) - 1;

/**
 * The features of a text as one array, so that their weights are summed in one pass. An entry is an index into the
 * weights, with the distance in units to the feature's first word (0, 1 or 2) in the bits above; an entry below 0 is
 * the complement of the unit that the following entries belong to. Filled again for every text, like a Reading.
 */
export class FeatureList {
  count = 0;
  /** The number of entries for words and meanings; those that only the reading as data uses come after them. */
  plain = 0;
  /** The number of entries that are units. */
  units = 0;
  readonly entries: Int32Array;
  /** The last few meanings of the text, while they are paired. */
  readonly strong = new Recent(7);
  readonly light = new Recent(3);

  /** Has room for the features of a piece of `size` UTF-16 units. */
  constructor(size: number) {
    this.entries = new Int32Array(Math.min(MAX_FEATURES + MAX_PIECE * 4, (size + 1) * MAX_PER_CHARACTER));
  }
}

/** After this many features the rest of a text is ignored. */
export const MAX_FEATURES = MAX_PIECE * 8;
/** For a text in which every character is a word with a meaning and a unit of its own. */
const MAX_PER_CHARACTER = 64;

/** Visits every feature: its index, the unit of its last word, and how many units before that its first word is. */
export function eachFeature(
  list: FeatureList,
  visit: (index: number, unit: number, back: number) => void,
): void {
  let unit = 0;
  for (let i = 0; i < list.count; i++) {
    const entry = list.entries[i]!;
    if (entry < 0) unit = ~entry;
    else visit(entry & INDEX_MASK, unit, entry >>> BACK_SHIFT);
  }
}

/** The most entries that one word adds. */
export const PER_WORD = 48;

export function place(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b | 0);
  return (mixed ^ (mixed >>> 16)) & MASK;
}

/** Returns the index of the weight for a code of the given kind, in the upper half. */
export function placeMeaning(code: number, kind: number): number {
  return HALF + place(Math.imul(code, 0x9e3779b1) ^ kind);
}

const KIND_MEANINGS = 0x297a2d39;

/** Returns the index for two meanings in any order. */
export function placePair(a: number, b: number): number {
  return placeMeaning(a < b ? a * 256 + b : b * 256 + a, KIND_MEANINGS);
}

/** Meanings at most this many words apart are combined. */
const REACH = 16;

/** At least the number of entries that any `Recent` stores; a bit mask. */
export const RING = 7;

/** The last few meanings of a text: those from `from` up to `to`, oldest first. */
class Recent {
  from = 0;
  to = 0;
  /** The meaning of entry `p` is at `p & RING`. */
  readonly meaning = new Uint8Array(RING + 1);
  readonly unit = new Int32Array(RING + 1);
  private readonly word = new Int32Array(RING + 1);
  private readonly most: number;

  /** `most`: up to RING. */
  constructor(most: number) {
    this.most = most;
  }

  clear(): void {
    this.from = 0;
    this.to = 0;
  }

  /** Removes meanings that are too far from `word` in `unit` to be combined with it. */
  forget(word: number, unit: number): void {
    let { from } = this;
    while (from < this.to && (word - this.word[from & RING]! > REACH || unit - this.unit[from & RING]! > 2))
      from++;
    this.from = from;
  }

  push(word: number, meaning: number, unit: number): void {
    const { to } = this;
    if (to - this.from === this.most) this.from++;
    this.word[to & RING] = word;
    this.meaning[to & RING] = meaning;
    this.unit[to & RING] = unit;
    this.to = to + 1;
  }
}
