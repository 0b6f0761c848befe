import type { TokenizedText } from '../read/tokenized-text.ts';

/** Size of a weight table in bits: the lower half is for n-grams of characters, the upper half for n-grams of words. */
export const NGRAM_BITS = 18;
const HALF = 1 << (NGRAM_BITS - 1);
const MASK = HALF - 1;
/** The most n-grams of a run of `length` codes: four end at each character, three at each word. */
export const maxNgrams = (length: number): number => (length + 1) * 6;

/** Longer units are cut, and windows are not longer either. UTF-16 units. */
export const MAX_WINDOW = 600;
/** A shorter window of three units is extended: cells and labels carry little information. UTF-16 units. */
const MIN_WINDOW = 120;
const UNITS = 3;
/** A shorter unit is not a window by itself. UTF-16 units. */
const MIN_UNIT = 16;

/**
 * A linear model of n-grams. It was trained separately from the model of words and meanings, so it makes different
 * errors.
 */
export interface NgramModel {
  /** One signed byte per n-gram. */
  readonly values: Int8Array;
  readonly scale: number;
  readonly bias: number;
  /** Lower limit of the number of n-grams, for normalization: one odd word proves little. */
  readonly minCount: number;
  /** True if a single unit is a window, too. */
  readonly readsUnits: boolean;
}

/** N-grams of a text's segments. Borrowed from a workspace. */
export class NgramTables {
  /** N-grams of one segment. */
  readonly found = new Int32Array(maxNgrams(MAX_WINDOW));
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Sum of weights and number of the n-grams of all segments before each one; the last entry is the total. */
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

/** How the number of a text's windows lowers its score. */
export interface WindowCost {
  /** Subtracted per natural logarithm of their number. */
  readonly perWindow: number;
  /** Lower limit of their number. */
  readonly minWindows: number;
}

/**
 * Returns the log-odds of a text with `windows` windows whose strongest has `score`. Among many windows some score high
 * by chance.
 */
export function ngramLogOdds(score: number, windows: number, { perWindow, minWindows }: WindowCost): number {
  return score - perWindow * Math.log(Math.max(minWindows, windows));
}

/** Returns the strongest window of a text that was read; undefined if it has no unit. */
export function strongestWindow(
  codes: Uint16Array,
  reading: TokenizedText,
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

/**
 * Returns the log-odds of a window whose `count` n-grams weigh `sum`. The root keeps long and short windows comparable.
 */
export function scoreOf(
  sum: number,
  count: number,
  { bias, minCount }: Pick<NgramModel, 'bias' | 'minCount'>,
): number {
  return sum / Math.sqrt(Math.max(minCount, count)) + bias;
}

/** Copies the units of a reading to segments; cuts long ones. */
export function cutSegments(reading: TokenizedText, tables: NgramTables): void {
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
 * Visits the windows of a text. One begins at each segment, until one reaches the end: three segments, or more if they
 * are short. `readsUnits`: a segment that is long enough is also a window by itself, so that an instruction among long
 * neighbors is not diluted.
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

/** Folds letters to lower case without accents, digits to one character, and separators to a space. */
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
/** Distinguish n-grams of different lengths. */
const [TWO, THREE, FOUR, FIVE] = [0x1111, 0x2222, 0x3333, 0x4444];
const [PAIR, TRIPLE] = [0x5bd1, 0x9e37];

/**
 * Writes the indexes of the n-grams of `codes[start, end)` to `out` and returns their number: three to five characters
 * (beyond ASCII also two, which are often a word there), one to three words. The weights were trained on exactly these
 * n-grams.
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

/**
 * More letters and digits than this without a space are encoded data: it is decoded elsewhere, and its n-grams are
 * ignored.
 */
const MAX_PLAIN = 32;

/** Returns the end of the ASCII letters and digits from `start` on. */
function codeEnd(codes: Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && codes[at]! < 128 && IS_WORD[FOLDED[codes[at]!]!] === 1) at++;
  return at;
}

/** Mixes the bits of a hash so that each depends on every other. */
export function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  mixed = Math.imul(mixed, 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
