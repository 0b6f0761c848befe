import * as lexicon from '../lexicon/tables.ts';
import { hashStep, hashWord, RUN_GOES_ON, runs, stems, wholeWords } from '../lexicon/tables.ts';
import * as characters from './characters.ts';
import { CHAR_CLASS, FOLD, isArabic } from './characters.ts';
import type { Text } from './codes.ts';
import * as kindsOfWords from './tokenized-text.ts';
import {
  MAX_LONG_WORDS,
  SK_COLON,
  SK_EXCLAMATION,
  SK_QUESTION,
  type TokenizedText,
} from './tokenized-text.ts';

const { FILTER_MASK, HASH_PRIME, HASH_SEED } = lexicon;
const STEM_FILTER = stems.filter;
// Local constants, because V8 inlines those in loops and reads imported ones each time.
const { APOSTROPHE, BELOW_ENDS, BLANK, BORDER, CODE_CLASS, LINE_END, NO_BLANKS, SILENT, STOP, WORD } =
  characters;
const { KIND_LINK, KIND_LONG, KIND_MIXED, KIND_NUMBER, KIND_RUN, KIND_SINGLE } = kindsOfWords;

/** Longer units are cut. Words. */
const MAX_UNIT_WORDS = 48;
const SENTENCE_WORDS = 4;
/** Only this many characters of a longer word are hashed. */
const MAX_WORD = 40;
const LONG_WORD = 16;
const LONGEST_RUN = 8;

const NUMBER_HASH = 0x4e554d;
const MIXED_HASH = 0x4d4958;
const LINK_CONCEPT = wholeWords.get(hashWord('https')) & 0xff;

const BLANK_CODE = 32;
const EXCLAMATION = 33;
const QUOTE = 34;
const SINGLE_QUOTE = 39;
const CLOSING = 41;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
const SEMICOLON = 59;
const QUESTION = 63;
const BRACKET = 93;
const BRACE = 125;

/**
 * The first half of reading: finds the words of `text[from, to)` as hashes with the meaning of their stem, marks and
 * units. Units end at sentence ends, lines, cells, tags and ends of quoted values. Reads READ_AHEAD codes beyond `to`
 * to recognize an address there.
 */
// One function, because every word of every text passes through it; separate calls for unusual words would cost a
// twelfth.
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over every character, with local state
export function cutWords({ codes }: Text, from: number, to: number, out: TokenizedText): void {
  const { hash: hashes, concept: meanings, unit: unitOf, start: starts, kind: kinds } = out;
  clearCounts(out);
  let words = 0;
  let firstOfUnit = 0;
  let i = from;
  while (i < to) {
    const raw = codes[i]!;
    let code = CODE_CLASS[raw]!;
    if (code < 0 && code !== ~NO_BLANKS) {
      i++;
      if (code === ~BLANK || code === ~SILENT || words === firstOfUnit) continue;
      if (raw <= QUESTION) noteMark(raw, words, out);
      if (!cutsUnit(raw, ~code, i < to ? codes[i]! : BLANK_CODE, words - firstOfUnit)) continue;
      endUnit(out, starts[firstOfUnit]!, i, words - firstOfUnit);
      firstOfUnit = words;
      continue;
    }
    const start = i;
    if (code < 0) {
      kinds[words] = KIND_RUN;
      i = readRun(codes, i, to, out, words);
    } else {
      const limit = Math.min(to, i + MAX_WORD);
      let hash = HASH_SEED;
      let letters = 0;
      let likely = 0;
      let hits = 0;
      // No calls in this loop, so that V8 checks its invariants only once.
      do {
        letters += code >>> 16;
        hash = Math.imul(hash ^ (code & 0xffff), HASH_PRIME);
        if (((STEM_FILTER[(hash >>> 5) & FILTER_MASK]! >>> hash) & 1) !== 0) {
          likely = hash;
          hits++;
        }
        code = CODE_CLASS[codes[++i]!]!;
      } while (code > 0 && i < limit);
      let length = i - start;
      let stem = 0;
      if ((code > 0 || code < BELOW_ENDS) && i < to && (code > 0 || goesOn(codes, i, to, letters))) {
        readOn(codes, i, to, out.longWord, length, letters, hash);
        ({ end: i, length, letters, hash, stem } = out.longWord);
      }
      if (stem === 0 && hits > 0) stem = stems.get(likely) || (hits > 1 ? longestStem(codes, start, i) : 0);
      let kind = 0;
      if (letters < length || length < 2 || length >= LONG_WORD) {
        if (letters === 0) {
          kind = KIND_NUMBER;
          out.numbers++;
          hash = NUMBER_HASH;
          stem = 0;
        } else if (letters < length) {
          kind = KIND_MIXED;
          out.mixed++;
          // Part numbers and account numbers share one hash: none of them has a meaning.
          if (stem === 0 && (wholeWords.get(hash) & 0xff) === 0) hash = MIXED_HASH;
        } else if (length === 1) {
          kind = KIND_SINGLE;
          out.single++;
        }
        if (length >= LONG_WORD && letters > 0) {
          kind |= KIND_LONG;
          if (out.longWords < MAX_LONG_WORDS) out.longWordStart[out.longWords++] = start;
        }
      }
      if (raw > 127 && isArabic(raw) && stem === 0 && (wholeWords.get(hash) & 0xff) === 0)
        stem = arabicConcept(codes, start, i);
      // An address is one word: its parts do not belong to the sentence.
      if (codes[i] === COLON && codes[i + 1] === SLASH && letters > 0 && isLink(hash, stem)) {
        while (i < to && !endsAddress(codes[i]!)) i++;
        kind |= KIND_LINK;
      }
      hashes[words] = hash;
      meanings[words] = stem;
      kinds[words] = kind;
    }
    starts[words] = start;
    unitOf[words++] = out.units;
    if (words - firstOfUnit < MAX_UNIT_WORDS) continue;
    endUnit(out, starts[firstOfUnit]!, i, MAX_UNIT_WORDS);
    firstOfUnit = words;
  }
  if (words > firstOfUnit) endUnit(out, starts[firstOfUnit]!, to, words - firstOfUnit);
  out.words = words;
}

function clearCounts(out: TokenizedText): void {
  out.units = 0;
  out.sentences = 0;
  out.marks = 0;
  out.numbers = 0;
  out.mixed = 0;
  out.single = 0;
  out.longWords = 0;
}

/** Returns the meaning of the longest known stem of the word `codes[start, end)`; 0 if none is known. */
function longestStem(codes: Uint16Array, start: number, end: number): number {
  let hash = HASH_SEED;
  let found = 0;
  let length = 0;
  for (let i = start; i < end && length < MAX_WORD; i++) {
    const code = CODE_CLASS[codes[i]!]!;
    if (code < 0) continue;
    length++;
    hash = hashStep(hash, code & 0xffff);
    found = stems.get(hash) || found;
  }
  return found;
}

/** Reads the rest of a word that contains accents or an apostrophe, or is longer than all known ones. */
function readOn(
  codes: Uint16Array,
  at: number,
  to: number,
  out: TokenizedText['longWord'],
  known: number,
  lettersBefore: number,
  hashBefore: number,
): void {
  let i = at;
  let length = known;
  let letters = lettersBefore;
  let hash = hashBefore;
  let stem = 0;
  for (; i < to; i++) {
    const code = CODE_CLASS[codes[i]!]!;
    if (code < 0) {
      if (goesOn(codes, i, to, letters)) continue;
      break;
    }
    letters += code >>> 16;
    if (length >= MAX_WORD) continue;
    length++;
    hash = hashStep(hash, code & 0xffff);
    stem = stems.get(hash) || stem;
  }
  out.end = i;
  out.length = length;
  out.letters = letters;
  out.hash = hash;
  out.stem = stem;
}

function endUnit(out: TokenizedText, start: number, end: number, words: number): void {
  if (words >= SENTENCE_WORDS) out.sentences++;
  out.unitStart[out.units] = start;
  out.unitEnd[out.units++] = end;
}

/**
 * True if a word continues after a code that is not a letter: a mark on the letter before, or an apostrophe (`don't` is
 * read as `dont`).
 */
function goesOn(codes: Uint16Array, at: number, size: number, letters: number): boolean {
  const kind = ~CODE_CLASS[codes[at]!]!;
  if (kind === APOSTROPHE) return letters > 0 && at + 1 < size && CHAR_CLASS[codes[at + 1]!] === WORD;
  return kind === SILENT;
}

function isLink(hash: number, stem: number): boolean {
  return (wholeWords.get(hash) & 0xff || stem) === LINK_CONCEPT;
}

function endsAddress(code: number): boolean {
  return CHAR_CLASS[code] === BLANK || CHAR_CLASS[code] === LINE_END || code === QUOTE;
}

function noteMark(code: number, words: number, out: TokenizedText): void {
  const mark =
    code === QUESTION ? SK_QUESTION : code === EXCLAMATION ? SK_EXCLAMATION : code === COLON ? SK_COLON : 0;
  if (mark === 0) return;
  out.mark[out.marks] = mark;
  out.markAfter[out.marks++] = words;
}

/** True if a unit of `unitWords` words ends with the mark `raw`, which the code `after` follows. */
function cutsUnit(raw: number, kind: number, after: number, unitWords: number): boolean {
  if (kind === LINE_END) return unitWords > 1;
  if (kind === BORDER) return true;
  if (kind === STOP) {
    if (raw > 127 || raw === SEMICOLON) return true;
    const kindAfter = CHAR_CLASS[after]!;
    return (
      kindAfter === BLANK ||
      kindAfter === LINE_END ||
      kindAfter === NO_BLANKS ||
      after === QUOTE ||
      after === SINGLE_QUOTE ||
      after === CLOSING
    );
  }
  // the end of a quoted value
  return raw === QUOTE && (after === COMMA || after === BRACE || after === BRACKET || after === COLON);
}

/** Reads the longest known entry at `at`, or one character, as word number `word`. Returns the index after it. */
function readRun(codes: Uint16Array, at: number, size: number, out: TokenizedText, word: number): number {
  let hash = hashStep(HASH_SEED, FOLD[codes[at]!]!);
  let wordHash = hash;
  let end = at + 1;
  let concept = 0;
  const limit = Math.min(size, at + LONGEST_RUN);
  for (let next = at + 1; ; next++) {
    const value = runs.get(hash);
    if (value === 0) break;
    if (value !== RUN_GOES_ON) {
      concept = value;
      wordHash = hash;
      end = next;
    }
    if (next >= limit) break;
    hash = hashStep(hash, FOLD[codes[next]!]!);
  }
  out.hash[word] = wordHash;
  out.concept[word] = concept;
  return end;
}

/** Returns the meaning of an Arabic word with a prefix: "and", "with", "to" and "the" are written as one with it. */
function arabicConcept(codes: Uint16Array, start: number, end: number): number {
  for (let skip = 1; skip <= 3 && start + skip + 2 < end; skip++) {
    let hash = HASH_SEED;
    let found = 0;
    for (let i = start + skip; i < end; i++) {
      const code = codes[i]!;
      if (CHAR_CLASS[code] === SILENT) continue;
      hash = hashStep(hash, FOLD[code]!);
      const stem = stems.get(hash);
      if (stem !== 0 && i - start - skip > 1) found = stem;
    }
    const exact = wholeWords.get(hash) & 0xff;
    if (exact !== 0) return exact;
    if (found !== 0) return found;
  }
  return 0;
}
