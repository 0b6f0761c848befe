import { foldText, lookOf } from './fold-text.ts';
import { amountsIn, numbersIn } from './numbers-in.ts';

/**
 * Which words and numbers a text contains, as hashes in sets of bits: it says of most values that the text cannot name
 * them. It errs to one side only: a text that names a value is never said not to.
 */
export interface TextSketch {
  readonly words: Uint32Array;
  /** Undefined until a number is looked for, or an amount. */
  numbers: Uint32Array | undefined;
  amounts: Uint32Array | undefined;
  /** False: it may name a host in letters that are not the Latin ones. */
  readonly isAscii: boolean;
}

export type SketchOf = (text: string) => TextSketch;

/** The hashes that stand in the sketch of every text with a value. None: any text may name it. */
export interface Needle {
  readonly words: readonly number[];
  readonly numbers: readonly number[];
  readonly amounts: readonly number[];
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** All bits of ASCII letters and digits. */
const IN_WORD = new Int32Array(0x10000);
for (const [letter] of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.matchAll(/./g))
  IN_WORD[letter.charCodeAt(0)] = -1;
const PRIME = 0x01000193;
/** Digits in a row that are looked up: phone and account numbers have no fewer. */
const DIGITS = 6;
const MIN_BITS = 256;
/** A fifth of the bits is set in usual texts. */
const CHARACTERS_A_BIT = 4;

export function sketchText(text: string): TextSketch {
  const folded = foldText(text);
  const isAscii = !NOT_ASCII.test(folded);
  const lower = isAscii ? folded : folded.toLowerCase();
  const words = bitsFor(lower);
  addWords(words, lower);
  if (!isAscii) {
    const look = lookOf(lower.normalize('NFKC')).replaceAll('。', '.').toLowerCase();
    if (look !== lower) addWords(words, look);
  }
  return { words, numbers: undefined, amounts: undefined, isAscii };
}

/** `text`: that the sketch is of. */
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

/** Of a text that stands in others with no letter or digit right before or after it. */
export const wordsNeedle = (text: string): Needle => ({
  words: (text.toLowerCase().match(/[a-z\d]+/g) ?? []).map(wordHash),
  numbers: [],
  amounts: [],
});

/** Of digits that stand anywhere in a number, whatever separates them there. */
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

/** Other letters end a word, here and in what is looked for: a word that stands alone there stands alone here. */
function addWords(bits: Uint32Array, text: string): void {
  const mask = bits.length * 32 - 1;
  let word = 0;
  // Without branches: half of the time would be lost on guessing where words end.
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

/** Every bit of the hash counts in the lowest ones. */
const mixed = (hash: number): number => hash ^ (hash >>> 15);
