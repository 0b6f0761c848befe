import { HASH_SEED, hashStep } from '../lexicon/tables.ts';
import {
  BLANK,
  BORDER,
  CHAR_CLASS,
  CODE_CLASS,
  LINE_END,
  NO_BLANKS,
  SILENT,
  STOP,
} from '../read/characters.ts';
import { numbersIn } from './numbers.ts';
import { eachStem } from './stems.ts';
import { FEW, GROUPS, guardWords, KEY, NOT, OPEN, SAY, SAY_SHORT, SECRET, wholeOf } from './tables.ts';

/** What a developer's text keeps from its users: a word, a number, a fact, its own rules. */
export interface Guard {
  /** Stems of the sentences that guard something, and of those before them. */
  readonly guarded: ReadonlySet<number>;
  /** Stems of the whole text. */
  readonly stems: ReadonlySet<number>;
  /** Numbers in those sentences. */
  readonly numbers: readonly string[];
  /** True if a password, code or key is guarded. */
  readonly isKey: boolean;
}

/** The length of a developer's text that is searched for guards. UTF-16 units. */
const MAX_LENGTH = 16_000;
/** In a longer text, which is full of rules, only unambiguous words count. UTF-16 units. */
const SHORT = 1_500;
/** The longest entry that is looked up at each character of a script without spaces. */
const MAX_RUN = 6;
const SPACE = 32;
/** The most numbers of one sentence, and of all. */
const MAX_NUMBERS = 8;
const MAX_IN_ALL = 40;

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly bits: number;
}

/** Reads what a developer's text guards; null: nothing. Linear. */
export function readGuard(text: string): Guard | null {
  const end = Math.min(text.length, MAX_LENGTH);
  const sentences = sentencesOf(text, end);
  const found = guardingSentences(text, sentences);
  if (found.length === 0) return null;
  const guarded = new Set<number>();
  const stems = new Set<number>();
  const numbers: string[] = [];
  let isKey = false;
  eachStem(text, 0, end, (stem) => stems.add(stem));
  for (const at of new Set(found.flatMap((index) => [index - 1, index]))) {
    const sentence = sentences[at];
    if (sentence === undefined) continue;
    isKey ||= (sentence.bits & KEY) !== 0;
    numbers.push(...numbersIn(text.slice(sentence.start, sentence.end)).slice(0, MAX_NUMBERS));
    eachStem(text, sentence.start, sentence.end, (stem) => guarded.add(stem));
  }
  return { guarded, stems, numbers: numbers.slice(0, MAX_IN_ALL), isKey };
}

/** True if `readGuard` finds a guard; cheaper. */
export function isGuarding(text: string): boolean {
  return guardingSentences(text, sentencesOf(text, Math.min(text.length, MAX_LENGTH))).length > 0;
}

/** Returns what the words of a text say about keeping things: the bits of the table of words. Linear. */
export function keepingBits(text: string): number {
  return sentencesOf(text, text.length).reduce((bits, sentence) => bits | sentence.bits, 0);
}

/** Returns the indexes of the sentences that guard something. */
function guardingSentences(text: string, sentences: readonly Sentence[]): readonly number[] {
  const isShort = text.length <= SHORT;
  return sentences.flatMap((sentence, at) =>
    guards(sentence.bits, sentences[at - 1]?.bits ?? 0, isShort) || (isShort && holdsKey(text, sentence))
      ? [at]
      : [],
  );
}

/** A number, a word in capitals, or one in quotes. */
const VALUE = /\d{3}|\p{Lu}{4}|["“«„「『‘'][\p{L}\d]/u;

/** True for a password or code with its value, unless the sentence says that it is for guests. */
function holdsKey(text: string, { start, end, bits }: Sentence): boolean {
  return (bits & KEY) !== 0 && (bits & OPEN) === 0 && VALUE.test(text.slice(start, end));
}

function guards(bits: number, before: number, isShort: boolean): boolean {
  if ((bits & SECRET) !== 0) return true;
  if (((bits | before) & KEY) !== 0 && (bits & FEW) !== 0) return true;
  const say = isShort ? SAY | SAY_SHORT : SAY;
  for (let group = 0; group < GROUPS; group++)
    if ((bits & (NOT << group)) !== 0 && (bits & (say << group)) !== 0) return true;
  return false;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rolling hashes over every character of a text
function sentencesOf(text: string, end: number): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let bits = 0;
  // Hashes of the word read so far, and of it with the word before; 0: no entry begins like this.
  let word = HASH_SEED;
  let pair = 0;
  for (let i = 0; i < end; i++) {
    const code = CODE_CLASS[text.charCodeAt(i)]!;
    if (code >= 0) {
      if (word !== 0) {
        word = hashStep(word, code & 0xffff);
        const found = guardWords.get(word);
        bits |= found;
        if (found === 0) word = 0;
      }
      if (pair !== 0) {
        pair = hashStep(pair, code & 0xffff);
        const found = guardWords.get(pair);
        bits |= found;
        if (found === 0) pair = 0;
      }
      continue;
    }
    if (code === ~SILENT) continue;
    if (word !== HASH_SEED) {
      bits |= bitsOfWhole(word) | bitsOfWhole(pair);
      pair = code === ~BLANK ? pairAfter(word) : 0;
      word = HASH_SEED;
    } else pair = 0;
    if (code === ~NO_BLANKS) bits |= bitsOfRun(text, i, end);
    else if (endsSentence(text, i + 1, ~code)) {
      if (i > start) sentences.push({ start, end: i + 1, bits });
      start = i + 1;
      bits = 0;
    }
  }
  bits |= bitsOfWhole(word) | bitsOfWhole(pair);
  if (end > start + 1) sentences.push({ start, end, bits });
  return sentences;
}

function bitsOfWhole(hash: number): number {
  return hash === 0 ? 0 : guardWords.get(wholeOf(hash));
}

/** Returns the hash of a word and the space after it, if an entry of two words begins like this; else 0. */
function pairAfter(word: number): number {
  const pair = word === 0 ? 0 : hashStep(word, SPACE);
  return pair === 0 || guardWords.get(pair) === 0 ? 0 : pair;
}

/**
 * True for the end of a sentence. A stop between digits or letters is none; stops beyond ASCII need no space after
 * them.
 */
function endsSentence(text: string, after: number, kind: number): boolean {
  if (kind !== STOP) return kind === LINE_END || kind === BORDER;
  return (
    after >= text.length || text.charCodeAt(after - 1) > 127 || CHAR_CLASS[text.charCodeAt(after)] === BLANK
  );
}

function bitsOfRun(text: string, from: number, end: number): number {
  let bits = 0;
  let hash = HASH_SEED;
  for (let i = from; i < end && i < from + MAX_RUN; i++) {
    const code = text.charCodeAt(i);
    if (CHAR_CLASS[code] !== NO_BLANKS) break;
    hash = hashStep(hash, code);
    const found = guardWords.get(hash);
    if (found === 0) break;
    bits |= found;
  }
  return bits;
}
