import {
  FILTER_MASK,
  HASH_SEED,
  hashStep,
  joinHash,
  phraseEnds,
  phrases,
  RUN_GOES_ON,
  runs,
  stems,
  wholeWords,
} from '../lexicon/tables.ts';
import {
  BLANK,
  BORDER,
  CHAR_CLASS,
  DIGIT,
  FOLD,
  isArabic,
  LINE_END,
  NO_BLANKS,
  SILENT,
  STOP,
  WORD,
} from './characters.ts';

/** Longest piece that is read at once; longer texts are read in pieces. UTF-16 units. */
export const MAX_PIECE = 32_768;
/** A unit is cut here at the latest. Words. */
const MAX_UNIT_WORDS = 48;
const SENTENCE_WORDS = 4;
const MAX_WORD = 40;
const MAX_LONG_WORDS = 32;
const LONG_WORD = 16;
const LONGEST_RUN = 8;

/** Skeleton codes below 256 are frame words and request verbs; these stand for the rest. */
export const SK_OTHER = 1001;
export const SK_NUMBER = 1002;
export const SK_LINK = 1003;
export const SK_QUESTION = 1004;
export const SK_EXCLAMATION = 1005;
export const SK_COLON = 1006;
export const SK_START = 1007;
/** Concepts come above. */
export const SK_CONCEPT = 1100;

/**
 * A text as words and units. One such table is filled again for every text, so that reading allocates nothing;
 * what is in it is only true until the next `readText`.
 */
export class Reading {
  words = 0;
  readonly hash = new Int32Array(MAX_PIECE + 8);
  readonly concept = new Uint8Array(MAX_PIECE + 8);
  readonly unit = new Int32Array(MAX_PIECE + 8);
  /** Where the word begins in the text. */
  readonly start = new Int32Array(MAX_PIECE + 8);
  /** Skeleton: one entry per word or mark, runs of other words merged. */
  skeletons = 0;
  readonly skeleton = new Uint16Array(MAX_PIECE * 2 + 16);
  readonly skeletonUnit = new Int32Array(MAX_PIECE * 2 + 16);
  units = 0;
  readonly unitStart = new Int32Array(MAX_PIECE + 8);
  readonly unitEnd = new Int32Array(MAX_PIECE + 8);
  /** Units of four words and more: what may be an order by chance. Cells and labels are not. */
  sentences = 0;
  /** Words of known meaning in all. */
  concepts = 0;
  /** Words of an English sentence's frame in all. */
  frames = 0;
  /** Words of digits only. */
  numbers = 0;
  /** Words that mix letters and digits, and single letters. */
  mixed = 0;
  single = 0;
  /** Where words of 16 characters and more stand; the first few. */
  longWords = 0;
  readonly longWordStart = new Int32Array(MAX_LONG_WORDS);
}

/**
 * Fills `out` from `text[from, to)`. Cuts units at sentence ends, lines, cells, tags and ends of quoted values.
 * The skeleton is only made with `frames`.
 */
export function readText(text: string, from: number, to: number, out: Reading, frames: boolean): void {
  const {
    hash: hashes,
    concept: meanings,
    unit: units,
    start: wordStarts,
    skeleton,
    skeletonUnit,
    unitStart: starts,
    unitEnd: ends,
  } = out;
  let words = 0;
  let skeletons = 0;
  let unit = 0;
  let unitWords = 0;
  let unitStart = -1;
  let concepts = 0;
  let sentences = 0;
  let framed = 0;
  let numbers = 0;
  let mixed = 0;
  let single = 0;
  let longWords = 0;
  let i = from;
  while (i < to) {
    const raw = text.charCodeAt(i);
    const kind = CHAR_CLASS[raw]!;
    if (kind === BLANK || kind === SILENT) {
      i++;
      continue;
    }
    if (kind === WORD || kind === DIGIT) {
      if (unitStart < 0) unitStart = i;
      const start = i;
      let hash = HASH_SEED;
      let stemConcept = 0;
      let letters = 0;
      let length = 0;
      for (; i < to; i++) {
        const code = text.charCodeAt(i);
        const here = CHAR_CLASS[code]!;
        if (here === WORD) letters++;
        else if (here !== DIGIT) {
          if (here === SILENT) continue;
          // don't -> dont
          if (
            (code === 39 || code === 0x2019) &&
            letters > 0 &&
            i + 1 < to &&
            CHAR_CLASS[text.charCodeAt(i + 1)] === WORD
          ) {
            continue;
          }
          break;
        }
        if (length >= MAX_WORD) continue;
        hash = Math.imul(hash ^ FOLD[code]!, 0x01000193);
        length++;
        if (stemFilter[hash & FILTER_MASK] !== 0 && length > 1) {
          const stem = stems.get(hash);
          if (stem !== 0) stemConcept = stem;
        }
      }
      let concept = 0;
      let frame = 0;
      if (letters === 0) {
        frame = SK_NUMBER;
        hash = NUMBER_HASH;
        numbers++;
      } else {
        if (length >= LONG_WORD && longWords < MAX_LONG_WORDS) out.longWordStart[longWords++] = start;
        if (letters < length) mixed++;
        if (length === 1) single++;
        const whole = wordFilter[hash & FILTER_MASK] === 0 ? 0 : wholeWords.get(hash);
        concept = whole & 0xff;
        if (concept === 0) concept = stemConcept;
        // part numbers and account numbers are all one word: none of them means anything
        if (letters < length && concept === 0) hash = MIXED_HASH;
        if (concept === 0 && isArabic(raw)) concept = arabicConcept(text, start, i);
        frame = whole >>> 8;
        if (frame !== 0) framed++;
        // addresses are one word: their pieces say nothing about the sentence
        if (concept === LINK_CONCEPT && text.charCodeAt(i) === 58 && text.charCodeAt(i + 1) === 47) {
          while (i < to && !endsAddress(text.charCodeAt(i))) i++;
          frame = SK_LINK;
        }
      }
      hashes[words] = hash;
      units[words] = unit;
      wordStarts[words] = start;
      if (unitWords > 0 && phraseEnds[hash & FILTER_MASK] !== 0) {
        const phrase = phraseAt(hashes, words, unitWords, hash);
        if (phrase !== 0) {
          concept = phrase;
          // the word before was only its beginning
          if (meanings[words - 1] === phrase) meanings[words - 1] = 0;
        }
      }
      meanings[words] = concept;
      if (concept !== 0) concepts++;
      words++;
      unitWords++;
      if (frames) {
        const sign = concept !== 0 ? SK_CONCEPT + concept : frame !== 0 ? frame : SK_OTHER;
        if (
          sign !== SK_OTHER ||
          skeletons === 0 ||
          skeleton[skeletons - 1] !== SK_OTHER ||
          skeletonUnit[skeletons - 1] !== unit
        ) {
          skeleton[skeletons] = sign;
          skeletonUnit[skeletons++] = unit;
        }
      }
    } else if (kind === NO_BLANKS) {
      if (unitStart < 0) unitStart = i;
      let hash = HASH_SEED;
      let wordHash = 0;
      let bestEnd = i + 1;
      let concept = 0;
      const limit = Math.min(to, i + LONGEST_RUN);
      for (let j = i; j < limit; j++) {
        hash = hashStep(hash, FOLD[text.charCodeAt(j)]!);
        if (j === i) wordHash = hash;
        const value = runs.get(hash);
        if (value === 0) break;
        if (value === RUN_GOES_ON) continue;
        concept = value;
        wordHash = hash;
        bestEnd = j + 1;
      }
      if (concept !== 0) concepts++;
      hashes[words] = wordHash;
      wordStarts[words] = i;
      meanings[words] = concept;
      units[words] = unit;
      words++;
      unitWords++;
      if (frames) {
        const sign = concept !== 0 ? SK_CONCEPT + concept : SK_OTHER;
        if (
          sign !== SK_OTHER ||
          skeletons === 0 ||
          skeleton[skeletons - 1] !== SK_OTHER ||
          skeletonUnit[skeletons - 1] !== unit
        ) {
          skeleton[skeletons] = sign;
          skeletonUnit[skeletons++] = unit;
        }
      }
      i = bestEnd;
    } else {
      let cut = false;
      let sign = 0;
      if (kind === LINE_END) cut = unitWords > 1;
      else if (kind === BORDER) cut = true;
      else if (kind === STOP) {
        if (raw > 127 || raw === 59) cut = true;
        else {
          const next = i + 1 < to ? text.charCodeAt(i + 1) : 32;
          const after = CHAR_CLASS[next]!;
          cut =
            after === BLANK ||
            after === LINE_END ||
            next === 34 ||
            next === 39 ||
            next === 41 ||
            after === NO_BLANKS;
          if (raw !== 46) sign = raw === 63 ? SK_QUESTION : SK_EXCLAMATION;
        }
      } else if (raw === 34) {
        const next = i + 1 < to ? text.charCodeAt(i + 1) : 32;
        cut = next === 44 || next === 125 || next === 93 || next === 58;
      } else if (raw === 58) sign = SK_COLON;
      if (frames && sign !== 0 && unitWords > 0) {
        skeleton[skeletons] = sign;
        skeletonUnit[skeletons++] = unit;
      }
      i++;
      if (cut && unitWords > 0) {
        if (unitWords >= SENTENCE_WORDS) sentences++;
        starts[unit] = unitStart;
        ends[unit] = i;
        unit++;
        unitWords = 0;
        unitStart = -1;
      }
    }
    if (unitWords >= MAX_UNIT_WORDS) {
      sentences++;
      starts[unit] = unitStart;
      ends[unit] = i;
      unit++;
      unitWords = 0;
      unitStart = -1;
    }
  }
  if (unitWords > 0) {
    if (unitWords >= SENTENCE_WORDS) sentences++;
    starts[unit] = unitStart;
    ends[unit] = to;
    unit++;
  }
  out.words = words;
  out.skeletons = skeletons;
  out.units = unit;
  out.sentences = sentences;
  out.concepts = concepts;
  out.frames = framed;
  out.numbers = numbers;
  out.mixed = mixed;
  out.single = single;
  out.longWords = longWords;
}

const NUMBER_HASH = 0x4e554d;
const MIXED_HASH = 0x4d4958;
const stemFilter = stems.filter;
const wordFilter = wholeWords.filter;

/** The concept of the two, three or four words that end at `word`; the longest counts. */
function phraseAt(hashes: Int32Array, word: number, unitWords: number, hash: number): number {
  let joined = joinHash(hashes[word - 1]!, hash);
  let phrase = phrases.get(joined);
  if (unitWords > 1) {
    joined = joinHash(joinHash(hashes[word - 2]!, hashes[word - 1]!), hash);
    phrase = phrases.get(joined) || phrase;
    if (unitWords > 2) {
      joined = joinHash(joinHash(joinHash(hashes[word - 3]!, hashes[word - 2]!), hashes[word - 1]!), hash);
      phrase = phrases.get(joined) || phrase;
    }
  }
  return phrase;
}

function endsAddress(code: number): boolean {
  return CHAR_CLASS[code] === BLANK || CHAR_CLASS[code] === LINE_END || code === 34;
}

const LINK_CONCEPT = wholeWords.get(hashOf('https')) & 0xff;

function hashOf(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i++) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}

/** Arabic writes "and", "with", "to" and "the" in one with the word. */
function arabicConcept(text: string, start: number, end: number): number {
  for (let skip = 1; skip <= 3 && start + skip + 2 < end; skip++) {
    let hash = HASH_SEED;
    let found = 0;
    for (let i = start + skip; i < end; i++) {
      const code = text.charCodeAt(i);
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
