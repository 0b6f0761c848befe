import { HASH_SEED, hashStep } from '../lexicon/tables.ts';
import {
  BLANK,
  BORDER,
  CHAR_CLASS,
  FOLD,
  LINE_END,
  NO_BLANKS,
  SILENT,
  STOP,
  WORD,
} from '../read/characters.ts';
import { numbersIn } from './numbers.ts';
import { eachStem } from './stems.ts';
import { FEW, GROUPS, guardWords, KEY, NOT, OPEN, SAY, SAY_SHORT, SECRET, wholeOf } from './tables.ts';

/** What a developer's text keeps from its users: a word, a number, a fact, its own rules. */
export interface Guard {
  /** Stems of the sentences that say so, and of those beside them. */
  readonly guarded: ReadonlySet<number>;
  /** Stems of all of it. */
  readonly stems: ReadonlySet<number>;
  /** Numbers in those sentences. */
  readonly numbers: readonly string[];
  /** A password, code or key is among it. */
  readonly isKey: boolean;
}

/** As much of a developer's text is read for what it guards. UTF-16 units. */
const MAX_LENGTH = 16_000;
/** A longer text is full of rules: there only clear words count. UTF-16 units. */
const SHORT = 1_500;
/** A run of characters without blanks is looked up from each of them, so far. */
const MAX_RUN = 6;
const DIGIT = 2;
/** Of one sentence, and of all. */
const MAX_NUMBERS = 8;
const MAX_IN_ALL = 40;

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly bits: number;
}

/** Null: it guards nothing. Linear. */
export function readGuard(text: string): Guard | null {
  const end = Math.min(text.length, MAX_LENGTH);
  const sentences = sentencesOf(text, end);
  const isShort = text.length <= SHORT;
  const found = sentences.flatMap((sentence, at) =>
    guards(sentence.bits, sentences[at - 1]?.bits ?? 0, isShort) || (isShort && holdsKey(text, sentence))
      ? [at]
      : [],
  );
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

/** A number, a word in capitals, or one in quotes. */
const VALUE = /\d{3}|\p{Lu}{4}|["“«„「『‘'][\p{L}\d]/u;

/** A password or code with its value is not for users unless the text says that it is for guests. */
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

function sentencesOf(text: string, end: number): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let bits = 0;
  const cut = (at: number): void => {
    if (at > start + 1) sentences.push({ start, end: at, bits });
    start = at;
    bits = 0;
  };
  for (let i = 0; i < end; ) {
    const kind = CHAR_CLASS[text.charCodeAt(i)]!;
    if (kind === NO_BLANKS) bits |= bitsOfRun(text, i++, end);
    else if (kind === WORD || kind === DIGIT) {
      const word = wordAt(text, i, end);
      bits |= word.bits;
      i = word.end;
    } else {
      i++;
      if (kind === LINE_END || kind === BORDER || (kind === STOP && endsSentence(text, i))) cut(i);
    }
  }
  cut(end);
  return sentences;
}

/** A stop between digits or letters ends nothing; those of scripts without blanks need none after them. */
function endsSentence(text: string, after: number): boolean {
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
    bits |= guardWords.get(hash);
  }
  return bits;
}

/** A word by itself, and with the one after it. */
function wordAt(text: string, from: number, end: number): { readonly bits: number; readonly end: number } {
  let bits = 0;
  let hash = HASH_SEED;
  let wordEnd = from;
  for (let i = from; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    const kind = CHAR_CLASS[code]!;
    if (kind === SILENT) continue;
    if (kind === WORD || kind === DIGIT) {
      hash = hashStep(hash, FOLD[code]!);
      bits |= guardWords.get(hash);
      continue;
    }
    bits |= guardWords.get(wholeOf(hash));
    if (wordEnd !== from) break;
    wordEnd = i;
    if (code !== 32) break;
    hash = hashStep(hash, 32);
  }
  return { bits, end: wordEnd === from ? end : wordEnd };
}
