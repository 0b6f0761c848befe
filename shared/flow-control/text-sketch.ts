import { foldAddress, foldText } from './fold-text.ts';
import { amountsIn, numbersIn } from './numbers-in.ts';

/**
 * The words and numbers of a text, as hashes in bit sets: excludes most values that the text cannot contain. It has
 * false positives only: a text that contains a value is never excluded.
 */
export interface TextSketch {
  readonly words: Uint32Array;
  /** Undefined until a number or an amount is searched. */
  numbers: Uint32Array | undefined;
  amounts: Uint32Array | undefined;
  /** False: the text may name a host in non-Latin letters. */
  readonly isAscii: boolean;
}

export type SketchOf = (text: string) => TextSketch;

/** Hashes that are in the sketch of every text with the value. Empty: any text may contain it. */
export interface Needle {
  readonly words: readonly number[];
  readonly numbers: readonly number[];
  readonly amounts: readonly number[];
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** All bits set for ASCII letters and digits. */
const IN_WORD = new Int32Array(0x10000);
for (const [letter] of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.matchAll(/./g))
  IN_WORD[letter.charCodeAt(0)] = -1;
const PRIME = 0x01000193;
/** Number of consecutive digits that are hashed: phone and account numbers have at least as many. */
const DIGITS = 6;
const MIN_BITS = 256;
/** Sets about a fifth of the bits in typical texts. */
const CHARACTERS_A_BIT = 4;

export function sketchText(text: string): TextSketch {
  const folded = foldText(text);
  const isAscii = !NOT_ASCII.test(folded);
  const lower = isAscii ? folded : folded.toLowerCase();
  const words = bitsFor(lower);
  addWords(words, lower);
  if (!isAscii) {
    const look = foldAddress(lower.normalize('NFKC')).replaceAll('。', '.').toLowerCase();
    if (look !== lower) addWords(words, look);
  }
  return { words, numbers: undefined, amounts: undefined, isAscii };
}

/** `text`: the text of the sketch. */
export function mayContain(sketch: TextSketch, needle: Needle, text: string): boolean {
  if (!containsAll(sketch.words, needle.words)) return false;
  if (needle.numbers.length > 0) {
    sketch.numbers ??= sketchNumbers(foldText(text));
    if (!containsAll(sketch.numbers, needle.numbers)) return false;
  }
  if (needle.amounts.length === 0) return true;
  sketch.amounts ??= sketchAmounts(foldText(text));
  return containsAll(sketch.amounts, needle.amounts);
}

/** Needle for a text that occurs without an adjacent letter or digit. */
export const wordsNeedle = (text: string): Needle => ({
  words: (text.toLowerCase().match(/[a-z\d]+/g) ?? []).map(wordHash),
  numbers: [],
  amounts: [],
});

/** Needle for digits that occur anywhere in a number, with any separators. */
export const digitsNeedle = (text: string): Needle => ({
  words: [],
  numbers: (text.match(/\d+/g) ?? []).flatMap(digitHashes),
  amounts: [],
});

export const amountNeedle = (amount: string): Needle => ({
  words: [],
  numbers: [],
  amounts: [amountHash(amount)],
});

function bitsFor({ length }: string): Uint32Array {
  let size = MIN_BITS;
  while (size * CHARACTERS_A_BIT < length) size *= 2;
  return new Uint32Array(size / 32);
}

/** Other letters end a word, both here and in the needle: a separate word there is a separate word here. */
function addWords(bits: Uint32Array, text: string): void {
  const mask = bits.length * 32 - 1;
  let word = 0;
  // Branchless: mispredicted word boundaries would take half of the time.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const inWord = IN_WORD[code]!;
    const bit = mixed(word) & mask & ~inWord;
    bits[bit >>> 5]! |= 1 << bit;
    word = Math.imul(word ^ (code | 0x20), PRIME) & inWord;
  }
  addHash(bits, mixed(word));
}

function sketchNumbers(text: string): Uint32Array {
  const bits = bitsFor(text);
  for (const number of numbersIn(text))
    for (const hash of digitHashes(number.replace(/\D/g, ''))) addHash(bits, hash);
  return bits;
}

function sketchAmounts(text: string): Uint32Array {
  const bits = bitsFor(text);
  for (const amount of amountsIn(text)) addHash(bits, amountHash(amount));
  return bits;
}

function wordHash(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ (word.charCodeAt(at) | 0x20), PRIME);
  return mixed(hash);
}

const digitHashes = (digits: string): number[] =>
  Array.from({ length: Math.max(0, digits.length - DIGITS + 1) }, (_, at) =>
    wordHash(`#${digits.slice(at, at + DIGITS)}`),
  );

const amountHash = (amount: string): number => wordHash(`=${amount}`);

function addHash(bits: Uint32Array, hash: number): void {
  const bit = hash & (bits.length * 32 - 1);
  bits[bit >>> 5]! |= 1 << bit;
}

function containsAll(bits: Uint32Array, hashes: readonly number[]): boolean {
  const mask = bits.length * 32 - 1;
  return hashes.every((hash) => (bits[(hash & mask) >>> 5]! & (1 << hash)) !== 0);
}

/** Mixes all bits of the hash into the lowest ones. */
const mixed = (hash: number): number => hash ^ (hash >>> 15);
