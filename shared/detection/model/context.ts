import { VERB } from '../lexicon/tables.ts';
import type { Reading } from '../read/reading.ts';
import { ContentWords } from './content-words.ts';
import { type FeatureList, MAX_FEATURES, placeMeaning } from './feature-list.ts';
import {
  ASKS,
  BEGS,
  FORBIDS,
  greets,
  MOODS,
  ORDERS,
  REQUESTS,
  readSentenceTypes,
  STATES,
  WONDERS,
} from './mood.ts';
import { placeOf, WRAPPED } from './unit-place.ts';

/*
 * What a unit is among its neighbours: how it speaks, where it stands, what kind of text stands around it, how many
 * others speak like it, and whether it shares its longer words with them. An order among steps is a step; an order among
 * statements, about something else, is meant for the reader.
 */

/** What the context of one text is worked out in. A workspace lends these tables. */
export class ContextTables {
  /** After `contextOf`: what each unit is given off its score. Log-odds. */
  readonly scoreReduction: Float32Array;
  /** 1 for units with a word of an English sentence's frame. */
  readonly framed: Uint8Array;
  /** How many sentences speak in each way. */
  readonly sentencesOf = new Int32Array(MOODS);
  readonly contentWords = new ContentWords();

  /** Has room for a piece of `size` UTF-16 units. */
  constructor(size: number) {
    this.scoreReduction = new Float32Array(size + 1);
    this.framed = new Uint8Array(size + 1);
  }
}

/** Many words add up to something by chance: what a unit is given off for each beyond so many. Log-odds. */
const TERSE = 16;
const PER_FURTHER_WORD = 0.06;

/**
 * Log-odds that a text may have less to be called an attack: one sentence alone, a letter, prose, records and code.
 * Prose speaks to its readers all the time; records and code do not. Chosen so that false alarms are equal.
 */
const THRESHOLD_OFFSETS = [0, 0, 0, 0.9] as const;

/**
 * A question that is all there is (an entry of a FAQ, a title, a search) hides in nothing, and asks for no deed where
 * it names no address. Log-odds.
 */
const LONE_QUESTION = 4;
const MAX_LONE_QUESTION = 300;
/** Questions that are followed by their answers. */
const FAQ = /^\s*(?:Q|Question)\s?[:.)]/i;
const QUESTION_END = /[?？؟]['")\]»”]*\s*$/;

/** Units of so many words are sentences. */
const SENTENCE = 4;
const PER_UNIT = 8;
const KIND_CONTEXT = 0x51ed270b;

/** What stands around every unit of a text. */
interface Surroundings {
  readonly sentences: number;
  /** Sentences that give orders or ask for something. */
  readonly orders: number;
  /** Sentences that are questions. */
  readonly questions: number;
  readonly isProse: boolean;
  /** 0 one unit alone, 1 a letter, 2 prose, 3 records and code. */
  readonly kind: 0 | 1 | 2 | 3;
  /** The number of sentences in five steps. */
  readonly size: number;
}

/**
 * Adds what each unit is among its neighbours to `out`; after `featuresOf` of the same reading. Linear.
 * Returns what the text may have less, for the kind of text it is. Log-odds.
 */
export function contextOf(text: string, reading: Reading, out: FeatureList, tables: ContextTables): number {
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

function markFramed({ units, skeletons, skeleton, skeletonUnit }: Reading, framed: Uint8Array): void {
  framed.fill(0, 0, units);
  for (let s = 0; s < skeletons; s++) if (skeleton[s]! < VERB) framed[skeletonUnit[s]!] = 1;
}

function surroundingsOf(reading: Reading, sentencesOf: Int32Array): Surroundings {
  const { units, sentenceType } = reading;
  sentencesOf.fill(0);
  let isLetter = false;
  let sentences = 0;
  for (let unit = 0; unit < units; unit++) {
    if (wordsOf(reading, unit) >= SENTENCE) {
      sentences++;
      sentencesOf[sentenceType[unit]!]!++;
    }
    isLetter ||= greets(reading, unit);
  }
  const isProse = reading.frames >= reading.words * 0.3;
  return {
    sentences,
    orders: sentencesOf[ORDERS]! + sentencesOf[BEGS]! + sentencesOf[REQUESTS]! + sentencesOf[FORBIDS]!,
    questions: sentencesOf[ASKS]! + sentencesOf[WONDERS]!,
    isProse,
    kind: units === 1 ? 0 : isLetter ? 1 : isProse ? 2 : 3,
    size: stepOf(sentences, 2, 4, 10, 30),
  };
}

/** Adds the entries of one unit from `from` on; returns how many there are then. */
function addUnit(
  text: string,
  reading: Reading,
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
  // a sentence of another language among prose
  if (isProse && size > 0 && own === 1 && tables.framed[unit] === 0)
    entries[count++] = placeContext(0x10000 + size);
  const speaks = reading.sentenceType[unit]!;
  const place = placeOf(text, reading, unit);
  const reach = stepOf(words, SENTENCE, 9, 17, 31);
  entries[count++] = placeContext(0x12000 + (speaks << 4) + reach);
  if (place === WRAPPED) entries[count++] = placeContext(0x11000 + speaks);
  if (speaks === STATES) return count;
  const group = groupOf(speaks);
  const density = densityOf(around, own, group, speaks);
  const cohesion = tables.contentWords.cohesionOf(reading, unit);
  entries[count++] = placeContext(0x1000 + (speaks << 4) + place);
  entries[count++] = placeContext(0x2000 + (speaks << 4) + kind);
  entries[count++] = placeContext(0x3000 + (speaks << 8) + (density << 4) + size);
  entries[count++] = placeContext(0x4000 + (speaks << 8) + (cohesion << 4) + size);
  entries[count++] = placeContext(0x5000 + (group << 8) + (density << 5) + (cohesion << 2) + kind);
  return count;
}

const QUESTION = 1;
const ORDER = 2;
const OTHER = 3;

function groupOf(speaks: number): number {
  if (speaks === ASKS || speaks === WONDERS) return QUESTION;
  return speaks >= ORDERS && speaks <= REQUESTS ? ORDER : OTHER;
}

/** How many of the other sentences speak like a unit: 0 there are none, 1 no one, 2 a tenth, 3 three tenths, 4 more. */
function densityOf(around: Surroundings, own: number, group: number, speaks: number): number {
  const others = around.sentences - own;
  const isCounted = group !== OTHER || speaks === FORBIDS;
  const alike = (group === QUESTION ? around.questions : around.orders) - (isCounted ? own : 0);
  if (others === 0) return 0;
  if (alike <= 0) return 1;
  if (alike * 10 <= others) return 2;
  return alike * 10 <= others * 3 ? 3 : 4;
}

function reduceScores(text: string, reading: Reading, reduction: Float32Array): void {
  const { units, sentenceType } = reading;
  for (let unit = 0; unit < units; unit++)
    reduction[unit] = PER_FURTHER_WORD * Math.max(0, wordsOf(reading, unit) - TERSE);
  if (units === 1 && isLoneQuestion(text, sentenceType[0]!)) reduction[0]! += LONE_QUESTION;
  else if (FAQ.test(text)) {
    for (let unit = 0; unit < units; unit++)
      if (groupOf(sentenceType[unit]!) === QUESTION) reduction[unit]! += LONE_QUESTION;
  }
}

function isLoneQuestion(text: string, speaks: number): boolean {
  if (text.length > MAX_LONE_QUESTION || speaks === REQUESTS || speaks === BEGS) return false;
  return QUESTION_END.test(text) && !text.includes('@') && !text.includes('://');
}

function wordsOf({ firstWord }: Reading, unit: number): number {
  return firstWord[unit + 1]! - firstWord[unit]!;
}

/** How many of four ascending bounds a number reaches. */
function stepOf(number: number, first: number, second: number, third: number, fourth: number): number {
  if (number < second) return number < first ? 0 : 1;
  if (number < third) return 2;
  return number < fourth ? 3 : 4;
}

function placeContext(code: number): number {
  return placeMeaning(code, KIND_CONTEXT);
}
