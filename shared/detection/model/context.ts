import { VERB } from '../lexicon/tables.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { ContentWords } from './content-words.ts';
import { type FeatureList, MAX_FEATURES, placeMeaning } from './feature-list.ts';
import {
  COMMAND,
  hasGreeting,
  OTHER_QUESTION,
  POLITE_COMMAND,
  PROHIBITION,
  REQUEST,
  readSentenceTypes,
  SENTENCE_TYPES,
  STATEMENT,
  WH_QUESTION,
} from './sentence-type.ts';

/** What precedes a unit. */
const NOTHING = 0;
const EMPTY_LINE = 1;
const LINE_END = 2;
const MID_LINE = 7;
/** A line that continues the unfinished line before it. */
const WRAPPED = 8;

/** Signs before a unit: 3 a quote, 4 a tag, 5 a cell's border, 6 a mark. */
const PLACES = new Uint8Array(128);
for (const [place, signs] of [
  [3, '"\''],
  [4, '>'],
  [5, '|\t,;'],
  [6, '#*-/:]'],
] as const)
  for (const sign of signs) PLACES[sign.charCodeAt(0)] = place;

const MAX_BLANKS = 12;

function placeOf(text: string, reading: TokenizedText, unit: number): number {
  let i = reading.unitStart[unit]! - 1;
  let lines = 0;
  for (const least = Math.max(0, i - MAX_BLANKS); i >= least; i--) {
    const code = text.charCodeAt(i);
    if (code === 10) lines++;
    else if (code !== 32 && code !== 13) break;
  }
  if (i < 0) return NOTHING;
  if (lines > 1) return EMPTY_LINE;
  const code = text.charCodeAt(i);
  const place = code < 128 ? PLACES[code]! : 0;
  if (place !== 0) return place;
  if (lines === 0) return MID_LINE;
  const first = text.charCodeAt(reading.unitStart[unit]!);
  const endsSentence = code === 46 || code === 63 || code === 33;
  return first >= 97 && first <= 122 && !endsSentence ? WRAPPED : LINE_END;
}

/*
 * The context of a unit: its sentence type, its position, the kind of text around it, how many other units have the
 * same sentence type, and whether it shares its longer words with them. An instruction among steps is a step; an
 * instruction among statements about something else is meant for the reader.
 */

/** Tables for the context of one text. Borrowed from a workspace. */
export class ContextTables {
  /** After `contextOf`: the score reduction of each unit. Log-odds. */
  readonly scoreReduction: Float32Array;
  /** 1 for units that contain an English function word. */
  readonly framed: Uint8Array;
  /** The number of sentences of each type. */
  readonly sentencesOf = new Int32Array(SENTENCE_TYPES);
  readonly contentWords = new ContentWords();

  /** Has room for a piece of `size` UTF-16 units. */
  constructor(size: number) {
    this.scoreReduction = new Float32Array(size + 1);
    this.framed = new Uint8Array(size + 1);
  }
}

/** Long units reach high sums by chance: each further word reduces the score. */
const TERSE = 16;

/**
 * Reductions of the threshold by kind of text: one sentence alone, a letter, prose, records and code. Prose often
 * addresses its readers, records and code do not. Chosen for an equal rate of false positives. Log-odds.
 */
const THRESHOLD_OFFSETS = [0, 0, 0, ATTACK.recordOffset] as const;

/**
 * Score reduction for a text that is only a question (an entry of a FAQ, a title, a search): nothing surrounds it, and
 * without an address it asks for no action. Log-odds.
 */
const LONE_QUESTION = 4;
const MAX_LONE_QUESTION = 300;
/** A question followed by its answer. */
const FAQ = /^\s*(?:Q|Question)\s?[:.)]/i;
const QUESTION_END = /[?？؟]['")\]»”]*\s*$/;

/** Units with at least this many words are sentences. */
const SENTENCE = 4;
const PER_UNIT = 8;
const KIND_CONTEXT = 0x51ed270b;

/** Properties of a whole text, as context of its units. */
interface Surroundings {
  readonly sentences: number;
  /** Sentences that are commands, requests or prohibitions. */
  readonly orders: number;
  /** Sentences that are questions. */
  readonly questions: number;
  readonly isProse: boolean;
  /** 0 one unit alone, 1 a letter, 2 prose, 3 records and code. */
  readonly kind: 0 | 1 | 2 | 3;
  /** The number of sentences as one of five steps. */
  readonly size: number;
}

/**
 * Adds the context features of each unit to `out`; call it after `featuresOf` of the same reading. Returns the
 * reduction of the threshold for this kind of text, in log-odds. Linear.
 */
export function contextOf(
  text: string,
  reading: TokenizedText,
  out: FeatureList,
  tables: ContextTables,
): number {
  const { units } = reading;
  if (units === 0) return 0;
  readSentenceTypes(text, reading);
  tables.contentWords.note(reading);
  markFramed(reading, tables.framed);
  const around = surroundingsOf(reading, tables.sentencesOf);
  const { entries } = out;
  const limit = MAX_FEATURES - PER_UNIT + out.units;
  let { count } = out;
  for (let unit = 0; unit < units && count - unit < limit; unit++)
    count = addUnit(text, reading, unit, around, tables, entries, count);
  out.count = count;
  reduceScores(text, reading, tables.scoreReduction);
  return THRESHOLD_OFFSETS[around.kind];
}

function markFramed({ units, skeletons, skeleton, skeletonUnit }: TokenizedText, framed: Uint8Array): void {
  framed.fill(0, 0, units);
  for (let s = 0; s < skeletons; s++) if (skeleton[s]! < VERB) framed[skeletonUnit[s]!] = 1;
}

function surroundingsOf(reading: TokenizedText, sentencesOf: Int32Array): Surroundings {
  const { units, sentenceType } = reading;
  sentencesOf.fill(0);
  let isLetter = false;
  let sentences = 0;
  for (let unit = 0; unit < units; unit++) {
    if (wordsOf(reading, unit) >= SENTENCE) {
      sentences++;
      sentencesOf[sentenceType[unit]!]!++;
    }
    isLetter ||= hasGreeting(reading, unit);
  }
  const isProse = reading.frames >= reading.words * ATTACK.proseShare;
  return {
    sentences,
    orders:
      sentencesOf[COMMAND]! +
      sentencesOf[POLITE_COMMAND]! +
      sentencesOf[REQUEST]! +
      sentencesOf[PROHIBITION]!,
    questions: sentencesOf[WH_QUESTION]! + sentencesOf[OTHER_QUESTION]!,
    isProse,
    kind: units === 1 ? 0 : isLetter ? 1 : isProse ? 2 : 3,
    size: stepOf(sentences, 2, 4, 10, 30),
  };
}

/** Adds the entries of one unit from index `from` on; returns the new number of entries. */
function addUnit(
  text: string,
  reading: TokenizedText,
  unit: number,
  around: Surroundings,
  tables: ContextTables,
  entries: Int32Array,
  from: number,
): number {
  const { isProse, kind, size } = around;
  let count = from;
  entries[count++] = ~unit;
  const words = wordsOf(reading, unit);
  const own = words >= SENTENCE ? 1 : 0;
  // a sentence in another language within English prose
  if (isProse && size > 0 && own === 1 && tables.framed[unit] === 0)
    entries[count++] = placeContext(0x10000 + size);
  const type = reading.sentenceType[unit]!;
  const place = placeOf(text, reading, unit);
  const reach = stepOf(words, SENTENCE, 9, 17, 31);
  entries[count++] = placeContext(0x12000 + (type << 4) + reach);
  if (place === WRAPPED) entries[count++] = placeContext(0x11000 + type);
  if (type === STATEMENT) return count;
  const group = groupOf(type);
  const density = densityOf(around, own, group, type);
  const cohesion = tables.contentWords.cohesionOf(reading, unit);
  entries[count++] = placeContext(0x1000 + (type << 4) + place);
  entries[count++] = placeContext(0x2000 + (type << 4) + kind);
  entries[count++] = placeContext(0x3000 + (type << 8) + (density << 4) + size);
  entries[count++] = placeContext(0x4000 + (type << 8) + (cohesion << 4) + size);
  entries[count++] = placeContext(0x5000 + (group << 8) + (density << 5) + (cohesion << 2) + kind);
  return count;
}

const QUESTION = 1;
const ORDER = 2;
const OTHER = 3;

function groupOf(type: number): number {
  if (type === WH_QUESTION || type === OTHER_QUESTION) return QUESTION;
  return type >= COMMAND && type <= REQUEST ? ORDER : OTHER;
}

/**
 * Rates how many of the other sentences are of a unit's kind: 0 there are no others, 1 none, 2 up to a tenth, 3 up to
 * three tenths, 4 more.
 */
function densityOf(around: Surroundings, own: number, group: number, type: number): number {
  const others = around.sentences - own;
  const isCounted = group !== OTHER || type === PROHIBITION;
  const alike = (group === QUESTION ? around.questions : around.orders) - (isCounted ? own : 0);
  if (others === 0) return 0;
  if (alike <= 0) return 1;
  if (alike * 10 <= others) return 2;
  return alike * 10 <= others * 3 ? 3 : 4;
}

function reduceScores(text: string, reading: TokenizedText, reduction: Float32Array): void {
  const { units, sentenceType } = reading;
  for (let unit = 0; unit < units; unit++)
    reduction[unit] = ATTACK.perFurtherWord * Math.max(0, wordsOf(reading, unit) - TERSE);
  if (units === 1 && isLoneQuestion(text, sentenceType[0]!)) reduction[0]! += LONE_QUESTION;
  else if (FAQ.test(text)) {
    for (let unit = 0; unit < units; unit++)
      if (groupOf(sentenceType[unit]!) === QUESTION) reduction[unit]! += LONE_QUESTION;
  }
}

function isLoneQuestion(text: string, type: number): boolean {
  if (text.length > MAX_LONE_QUESTION || type === REQUEST || type === POLITE_COMMAND) return false;
  return QUESTION_END.test(text) && !text.includes('@') && !text.includes('://');
}

function wordsOf({ firstWord }: TokenizedText, unit: number): number {
  return firstWord[unit + 1]! - firstWord[unit]!;
}

/** Returns how many of four ascending bounds a number reaches. */
function stepOf(number: number, first: number, second: number, third: number, fourth: number): number {
  if (number < second) return number < first ? 0 : 1;
  if (number < third) return 2;
  return number < fourth ? 3 : 4;
}

function placeContext(code: number): number {
  return placeMeaning(code, KIND_CONTEXT);
}
