import { MAX_PIECE } from '../read/reading.ts';

/** Features are hashed into this many weights per reading. */
export const FEATURE_BITS = 18;
/** Words and word pairs lie in the lower half of the weights, meanings and frames in the upper one. */
export const HALF = 1 << (FEATURE_BITS - 1);
const MASK = HALF - 1;

/** What a text shows, as indexes into the weights; filled again for every text, like a Reading. */
export class FeatureList {
  count = 0;
  /** What only data is read for comes last: this many features are words and meanings. */
  plain = 0;
  readonly index = new Int32Array(MAX_PIECE * 8);
  /** Unit of the feature's last word. */
  readonly unit = new Int32Array(MAX_PIECE * 8);
  /** How many units back its first word stands: 0, 1 or 2. */
  readonly back = new Uint8Array(MAX_PIECE * 8);
}

/** Most features that one word adds. */
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
const MOST = 7;

/** The last few meanings: where they stand, oldest first. */
export class Recent {
  count = 0;
  readonly meaning = new Int32Array(MOST);
  readonly unit = new Int32Array(MOST);
  private readonly word = new Int32Array(MOST);
  private readonly most: number;

  constructor(most: number) {
    this.most = Math.min(most, MOST);
  }

  /** Forgets what is too far from `word` in `unit` to belong to it. */
  forget(word: number, unit: number): void {
    let gone = 0;
    while (gone < this.count && (word - this.word[gone]! > REACH || unit - this.unit[gone]! > 2)) gone++;
    if (gone > 0) this.shift(gone);
  }

  push(word: number, meaning: number, unit: number): void {
    if (this.count === this.most) this.shift(1);
    this.word[this.count] = word;
    this.meaning[this.count] = meaning;
    this.unit[this.count++] = unit;
  }

  private shift(by: number): void {
    for (let i = by; i < this.count; i++) {
      this.word[i - by] = this.word[i]!;
      this.meaning[i - by] = this.meaning[i]!;
      this.unit[i - by] = this.unit[i]!;
    }
    this.count -= by;
  }
}
