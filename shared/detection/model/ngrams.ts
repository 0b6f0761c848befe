import type { Reading } from '../read/reading.ts';

/** Indexes of a table: of n-grams of characters below its half, of words above. */
export const NGRAM_BITS = 18;
const HALF = 1 << (NGRAM_BITS - 1);
const MASK = HALF - 1;
/** N-grams that a run of `length` codes has at most: four that end with a character, three with a word. */
export const maxNgrams = (length: number): number => (length + 1) * 6;

/** Longer units are cut; a window is no longer either. UTF-16 units. */
export const MAX_WINDOW = 600;
/** A window of three units goes on if it is shorter: cells and labels say little. UTF-16 units. */
const MIN_WINDOW = 120;
const UNITS = 3;
/** A shorter unit is no window by itself. UTF-16 units. */
const MIN_UNIT = 16;

/** A linear model of n-grams: learned apart from the one of words and meanings, it errs elsewhere. */
export interface NgramModel {
  /** One signed byte per n-gram. */
  readonly values: Int8Array;
  readonly scale: number;
  readonly bias: number;
  /** Fewer n-grams count as so many: one odd word says little. */
  readonly minCount: number;
  /** Whether a single unit is a window, too. */
  readonly readsUnits: boolean;
}

/** N-grams of a text's segments. A workspace lends this table. */
export class NgramTables {
  /** N-grams of one segment. */
  readonly found = new Int32Array(maxNgrams(MAX_WINDOW));
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** What the n-grams of all segments before each one weigh, and how many there are; one entry more for all. */
  readonly sum: Int32Array;
  readonly count: Int32Array;
  segments = 0;

  /** Has room for a piece of `size` UTF-16 units. */
  constructor(size: number) {
    const entries = size + 1;
    this.start = new Int32Array(entries);
    this.end = new Int32Array(entries);
    this.sum = new Int32Array(entries + 1);
    this.count = new Int32Array(entries + 1);
  }
}

export interface NgramWindow {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** Log-odds of the strongest window, before the number of windows is taken into account. */
  readonly score: number;
  readonly windows: number;
}

/** What the number of a text's windows takes off. */
export interface WindowCost {
  /** For each natural logarithm of their number. */
  readonly perWindow: number;
  /** Fewer count as so many. */
  readonly minWindows: number;
}

/** Log-odds of a text with `windows` windows whose strongest has `score`. Chance finds something odd among many. */
export function ngramLogOdds(score: number, windows: number, { perWindow, minWindows }: WindowCost): number {
  return score - perWindow * Math.log(Math.max(minWindows, windows));
}

/** The strongest window of a text that was read; undefined if it has no unit. */
export function strongestWindow(
  codes: Uint16Array,
  reading: Reading,
  model: NgramModel,
  tables: NgramTables,
): NgramWindow | undefined {
  cutSegments(reading, tables);
  for (let at = 0; at < tables.segments; at++) weigh(codes, at, model, tables);
  let best: { start: number; end: number; score: number } | undefined;
  let windows = 0;
  eachWindow(tables, model.readsUnits, (first, last) => {
    windows++;
    const sum = tables.sum[last + 1]! - tables.sum[first]!;
    const count = tables.count[last + 1]! - tables.count[first]!;
    const score = scoreOf(sum * model.scale, count, model);
    if (best === undefined || score > best.score)
      best = { start: tables.start[first]!, end: tables.end[last]!, score };
  });
  return best && { ...best, windows };
}

/** Log-odds of a window whose `count` n-grams weigh `sum`: the root keeps long and short windows comparable. */
export function scoreOf(
  sum: number,
  count: number,
  { bias, minCount }: Pick<NgramModel, 'bias' | 'minCount'>,
): number {
  return sum / Math.sqrt(Math.max(minCount, count)) + bias;
}

/** The units of a reading, the long ones cut. */
export function cutSegments(reading: Reading, tables: NgramTables): void {
  let segments = 0;
  for (let unit = 0; unit < reading.units; unit++) {
    const end = reading.unitEnd[unit]!;
    for (let start = reading.unitStart[unit]!; start < end; start += MAX_WINDOW) {
      tables.start[segments] = start;
      tables.end[segments++] = Math.min(end, start + MAX_WINDOW);
    }
  }
  tables.segments = segments;
}

/**
 * A window from each segment on: three segments, or more if they are short; the last one reaches the end. `readsUnits`:
 * a segment long enough is a window by itself, too, so that an order among long neighbors is not diluted.
 */
export function eachWindow(
  { start, end, segments }: NgramTables,
  readsUnits: boolean,
  visit: (first: number, last: number) => void,
): void {
  for (let first = 0; first < segments; first++) {
    if (readsUnits && segments > 1 && end[first]! - start[first]! >= MIN_UNIT) visit(first, first);
  }
  for (let first = 0; first < segments; first++) {
    let last = first;
    while (
      last + 1 < segments &&
      (last - first < UNITS - 1 || end[last]! - start[first]! < MIN_WINDOW) &&
      end[last + 1]! - start[first]! <= MAX_WINDOW
    )
      last++;
    visit(first, last);
    if (last + 1 >= segments) return;
  }
}

function weigh(codes: Uint16Array, at: number, { values }: NgramModel, tables: NgramTables): void {
  const { found } = tables;
  const count = ngramsOf(codes, tables.start[at]!, tables.end[at]!, found);
  let sum = tables.sum[at]!;
  for (let i = 0; i < count; i++) sum += values[found[i]!]!;
  tables.sum[at + 1] = sum;
  tables.count[at + 1] = tables.count[at]! + count;
}

/** Letters are read in lower case without their accents, digits as one, and what may stand between words as a blank. */
const FOLDED = new Uint16Array(65_536);
/** Letters, digits and apostrophes are parts of words. */
const IS_WORD = new Uint8Array(65_536);
const BETWEEN = /[\s._\-*~/+|,\p{Dash}\p{So}\p{Cs}]/u;
for (let code = 0; code < 65_536; code++) {
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase().normalize('NFD');
  FOLDED[code] =
    code <= 32 || BETWEEN.test(character) ? 32 : code >= 48 && code <= 57 ? 48 : lower.charCodeAt(0);
  IS_WORD[code] = FOLDED[code]! > 127 || /[a-z0']/.test(String.fromCharCode(FOLDED[code]!)) ? 1 : 0;
}

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;
/** Tell n-grams of different lengths apart. */
const [TWO, THREE, FOUR, FIVE] = [0x1111, 0x2222, 0x3333, 0x4444];
const [PAIR, TRIPLE] = [0x5bd1, 0x9e37];

/**
 * Writes the indexes of the n-grams of `codes[start, end)` to `out` and returns how many there are: three to five
 * characters (beyond ASCII two as well, which are often a word there), one to three words. Other code than this would
 * find other n-grams than the weights were learned for.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rolling hashes over every character of a text
export function ngramsOf(codes: Uint16Array, start: number, end: number, out: Int32Array): number {
  let count = 0;
  let word = 0;
  let isInWord = false;
  let one = 0;
  let two = 0;
  let before = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let i = start; i <= end; i++) {
    const code = i < end ? FOLDED[codes[i]!]! : 32;
    if (!isInWord) {
      const after = codeEnd(codes, i, end);
      if (after - i > MAX_PLAIN) {
        i = after - 1;
        continue;
      }
    }
    if (IS_WORD[code] === 1) {
      word = Math.imul((isInWord ? word : BASIS) ^ code, PRIME);
      isInWord = true;
    } else if (isInWord) {
      isInWord = false;
      out[count++] = HALF + (mix(word) & MASK);
      if (one !== 0) out[count++] = HALF + (mix(Math.imul(one, 31) ^ word ^ PAIR) & MASK);
      if (two !== 0)
        out[count++] = HALF + (mix(Math.imul(Math.imul(two, 31) ^ one, 31) ^ word ^ TRIPLE) & MASK);
      two = one;
      one = word;
    }
    if (code === 32 && before === 32) continue;
    if (before !== 0) {
      let hash = Math.imul(before, PRIME) ^ code;
      if (code > 127) out[count++] = mix(hash ^ TWO) & MASK;
      if (second !== 0) {
        hash = Math.imul(hash, PRIME) ^ second;
        out[count++] = mix(hash ^ THREE) & MASK;
        if (third !== 0) {
          hash = Math.imul(hash, PRIME) ^ third;
          out[count++] = mix(hash ^ FOUR) & MASK;
          if (fourth !== 0) out[count++] = mix(Math.imul(hash, PRIME) ^ fourth ^ FIVE) & MASK;
        }
      }
    }
    fourth = third;
    third = second;
    second = before;
    before = code;
  }
  return count;
}

/** What mixes no blanks into more letters and digits is a code: it is decoded elsewhere, and its n-grams say nothing. */
const MAX_PLAIN = 32;

/** The end of the letters and digits of ASCII from `start` on. */
function codeEnd(codes: Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && codes[at]! < 128 && IS_WORD[FOLDED[codes[at]!]!] === 1) at++;
  return at;
}

/** Every bit of a hash depends on every other. */
export function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  mixed = Math.imul(mixed, 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
