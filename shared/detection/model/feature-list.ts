import { MAX_PIECE } from '../read/reading.ts';

/** Features are hashed into this many weights per reading. */
export const FEATURE_BITS = 18;
/** Words and word pairs lie in the lower half of the weights, meanings and frames in the upper one. */
export const HALF = 1 << (FEATURE_BITS - 1);
const MASK = HALF - 1;

/** A feature whose first word stands in an earlier unit: above the index, how many units back. */
export const BACK_SHIFT = FEATURE_BITS;
export const INDEX_MASK = (1 << FEATURE_BITS) - 1;

/**
 * What a text shows, as one row of numbers, so that what they weigh is summed in one run: indexes into the weights,
 * with how many units back a feature's first word stands above them (0, 1 or 2); below 0 the complement of the unit
 * that all further ones belong to, up to the next. Filled again for every text, like a Reading.
 */
export class FeatureList {
  count = 0;
  /** What only data is read for comes last: so many entries are words and meanings. */
  plain = 0;
  /** How many entries are units. */
  units = 0;
  readonly entries: Int32Array;
  /** While meanings are paired: the last few of the text. */
  readonly strong = new Recent(7);
  readonly light = new Recent(3);

  /** Has room for what a piece of `size` UTF-16 units shows. */
  constructor(size: number) {
    this.entries = new Int32Array(Math.min(MAX_FEATURES + MAX_PIECE * 4, (size + 1) * MAX_PER_CHARACTER));
  }
}

/** Beyond so many features the rest of a text is not looked at. */
export const MAX_FEATURES = MAX_PIECE * 8;
/** Where every character is a word of known meaning and a unit of its own. */
const MAX_PER_CHARACTER = 64;

/** Every feature: its index, the unit of its last word, and how many units back its first word stands. */
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

/** Most entries that one word adds. */
export const PER_WORD = 48;

export function place(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b | 0);
  return (mixed ^ (mixed >>> 16)) & MASK;
}

/** Where a number that stands for a meaning of its own kind lies among the weights. */
export function placeMeaning(code: number, kind: number): number {
  return HALF + place(Math.imul(code, 0x9e3779b1) ^ kind);
}

const KIND_MEANINGS = 0x297a2d39;

/** Two meanings in any order. */
export function placePair(a: number, b: number): number {
  return placeMeaning(a < b ? a * 256 + b : b * 256 + a, KIND_MEANINGS);
}

/** Meanings this many words apart still belong together. */
const REACH = 16;

/** Above the number of entries that any `Recent` remembers. */
export const RING = 7;

/** The last few meanings of a text: those from `from` up to `to`, oldest first. */
class Recent {
  from = 0;
  to = 0;
  /** That of entry `p` stands at `p & RING`. */
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

  /** Forgets what is too far from `word` in `unit` to belong to it. */
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
