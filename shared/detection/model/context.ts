import { VERB } from '../lexicon/tables.ts';
import { MAX_PIECE, type Reading } from '../read/reading.ts';
import { type FeatureList, MOST_FEATURES, placeMeaning } from './feature-list.ts';
import {
  ASKS,
  BEGS,
  FORBIDS,
  firstWord,
  greets,
  MOODS,
  mood,
  ORDERS,
  REQUESTS,
  readMoods,
  STATES,
  WONDERS,
} from './mood.ts';

/*
 * What a unit is among its neighbours: how it speaks (mood), where it stands (place), what kind of text stands around
 * it, how many others speak like it, and whether it shares its matter with them. An order among steps is a step; an
 * order among statements, about something else, is meant for whoever reads.
 */

const sameMood = new Int32Array(MOODS);

/** Longer words and a unit they stand in: one slot per low bits of the hash, the first word that comes keeps it. */
const SLOT_MASK = (1 << 14) - 1;
const slotWord = new Int32Array(SLOT_MASK + 1);
const slotUnit = new Int32Array(SLOT_MASK + 1);
/** Slots of an older number are empty. */
const slotTurn = new Uint32Array(SLOT_MASK + 1);
let turn = 0;
const SEVERAL = -1;
const LONG = 5;

const framed = new Uint8Array(MAX_PIECE + 8);

/** Of the last `contextOf`: what each unit is given off its score. Log-odds. Many words add up to something by chance. */
export const relief = new Float32Array(MAX_PIECE + 8);
const TERSE = 16;
const PER_FURTHER_WORD = 0.06;

/**
 * Log-odds that a text may have less to be called an attack: one sentence alone, a letter, prose, records and code.
 * Prose speaks to its readers all the time; records and code do not. Chosen so that false alarms are equal.
 */
const EASE = [0, 0, 0, 0.9] as const;

/**
 * A question that is all there is (an entry of a FAQ, a title, a search) hides in nothing, and asks for no deed where
 * it names no address. Log-odds.
 */
const LONE_QUESTION = 4;
/** Questions that are followed by their answers. */
const FAQ = /^\s*(?:Q|Question)\s?[:.)]/i;
const QUESTION_END = /[?？؟]['")\]»”]*\s*$/;

/**
 * Adds what each unit is among its neighbours to `out`; after `featuresOf` of the same reading. Linear.
 * Returns what the text may have less, for the kind of text it is. Log-odds.
 */
export function contextOf(text: string, reading: Reading, out: FeatureList): number {
  const { units } = reading;
  if (units === 0) return 0;
  readMoods(text, reading);
  readMatter(reading);
  framed.fill(0, 0, reading.units);
  for (let s = 0; s < reading.skeletons; s++) {
    if (reading.skeleton[s]! < VERB) framed[reading.skeletonUnit[s]!] = 1;
  }
  sameMood.fill(0);
  let isLetter = false;
  let sentences = 0;
  for (let unit = 0; unit < units; unit++) {
    if (firstWord[unit + 1]! - firstWord[unit]! >= SENTENCE) {
      sentences++;
      sameMood[mood[unit]!]!++;
    }
    isLetter ||= greets(reading, unit);
  }
  const orders = sameMood[ORDERS]! + sameMood[BEGS]! + sameMood[REQUESTS]! + sameMood[FORBIDS]!;
  const asks = sameMood[ASKS]! + sameMood[WONDERS]!;
  const isProse = reading.frames >= reading.words * 0.3;
  const kind = units === 1 ? 0 : isLetter ? 1 : isProse ? 2 : 3;
  const size = sentences < 2 ? 0 : sentences < 4 ? 1 : sentences < 10 ? 2 : sentences < 30 ? 3 : 4;
  const { entries } = out;
  let count = out.count;
  const limit = MOST_FEATURES - PER_UNIT + out.units;
  for (let unit = 0; unit < units && count - unit < limit; unit++) {
    entries[count++] = ~unit;
    const words = firstWord[unit + 1]! - firstWord[unit]!;
    relief[unit] = PER_FURTHER_WORD * Math.max(0, words - TERSE);
    const own = words >= SENTENCE ? 1 : 0;
    // a sentence of another language among prose
    if (isProse && size > 0 && own === 1 && framed[unit] === 0)
      entries[count++] = placeContext(0x10000 + size);
    const speaks = mood[unit]!;
    const place = placeOf(text, reading, unit);
    const reach = words < SENTENCE ? 0 : words < 9 ? 1 : words < 17 ? 2 : words < 31 ? 3 : 4;
    entries[count++] = placeContext(0x12000 + (speaks << 4) + reach);
    if (place === WRAPPED) entries[count++] = placeContext(0x11000 + speaks);
    if (speaks === STATES) continue;
    const isQuestion = speaks === ASKS || speaks === WONDERS;
    const isOrder = speaks >= ORDERS && speaks <= REQUESTS;
    const others = sentences - own;
    const alike = (isQuestion ? asks : orders) - (isQuestion || isOrder || speaks === FORBIDS ? own : 0);
    const density =
      others === 0 ? 0 : alike <= 0 ? 1 : alike * 10 <= others ? 2 : alike * 10 <= others * 3 ? 3 : 4;
    const cohesion = cohesionOf(reading, unit);
    const group = isQuestion ? 1 : isOrder ? 2 : 3;
    entries[count++] = placeContext(0x1000 + (speaks << 4) + place);
    entries[count++] = placeContext(0x2000 + (speaks << 4) + kind);
    entries[count++] = placeContext(0x3000 + (speaks << 8) + (density << 4) + size);
    entries[count++] = placeContext(0x4000 + (speaks << 8) + (cohesion << 4) + size);
    entries[count++] = placeContext(0x5000 + (group << 8) + (density << 5) + (cohesion << 2) + kind);
  }
  out.count = count;
  if (units === 1 && isLoneQuestion(text, mood[0]!)) relief[0]! += LONE_QUESTION;
  else if (FAQ.test(text)) {
    for (let unit = 0; unit < units; unit++)
      if (mood[unit] === ASKS || mood[unit] === WONDERS) relief[unit]! += LONE_QUESTION;
  }
  return EASE[kind];
}

function placeContext(code: number): number {
  return placeMeaning(code, KIND_CONTEXT);
}

function isLoneQuestion(text: string, speaks: number): boolean {
  if (text.length > 300 || speaks === REQUESTS || speaks === BEGS) return false;
  return QUESTION_END.test(text) && !text.includes('@') && !text.includes('://');
}

/** Units of so many words are sentences. */
const SENTENCE = 4;
const PER_UNIT = 8;
const KIND_CONTEXT = 0x51ed270b;

/** Notes for each longer word the unit it stands in, or that there are several. */
function readMatter(reading: Reading): void {
  const { hash, unit, start, words } = reading;
  turn = (turn + 1) >>> 0;
  for (let w = 0; w < words; w++) {
    if (w + 1 < words && start[w + 1]! - start[w]! <= LONG) continue;
    const slot = hash[w]! & SLOT_MASK;
    if (slotTurn[slot] !== turn) {
      slotTurn[slot] = turn;
      slotWord[slot] = hash[w]!;
      slotUnit[slot] = unit[w]!;
    } else if (slotWord[slot] === hash[w] && slotUnit[slot] !== unit[w]) slotUnit[slot] = SEVERAL;
  }
}

/** How much of a unit's matter stands in other units: 0 it has none, 1 and 2 nothing of little and of much, 3 some, 4 a third and more. */
function cohesionOf(reading: Reading, unit: number): number {
  const { hash, start } = reading;
  let matter = 0;
  let common = 0;
  for (let w = firstWord[unit]!; w < firstWord[unit + 1]!; w++) {
    if (w + 1 < reading.words && start[w + 1]! - start[w]! <= LONG) continue;
    matter++;
    const slot = hash[w]! & SLOT_MASK;
    if (slotWord[slot] === hash[w] && slotUnit[slot] === SEVERAL) common++;
  }
  if (matter === 0) return 0;
  if (common === 0) return matter < 3 ? 1 : 2;
  return common * 3 < matter ? 3 : 4;
}

/** What stands before a unit: 0 nothing, 1 an empty line, 2 a line's end, 3 a quote, 4 a tag, 5 a cell's border, 6 a mark, 7 a sentence. */
function placeOf(text: string, reading: Reading, unit: number): number {
  let i = reading.unitStart[unit]! - 1;
  let lines = 0;
  for (const least = Math.max(0, i - 12); i >= least; i--) {
    const code = text.charCodeAt(i);
    if (code === 10) lines++;
    else if (code !== 32 && code !== 13) break;
  }
  if (i < 0) return 0;
  if (lines > 1) return 1;
  const code = text.charCodeAt(i);
  if (code === 34 || code === 39) return 3;
  if (code === 62) return 4;
  if (code === 124 || code === 9 || code === 44 || code === 59) return 5;
  if (code === 35 || code === 42 || code === 45 || code === 47 || code === 58 || code === 93) return 6;
  if (lines === 0) return 7;
  const start = text.charCodeAt(reading.unitStart[unit]!);
  return start >= 97 && start <= 122 && code !== 46 && code !== 63 && code !== 33 ? WRAPPED : 2;
}

/** A line that goes on where the one before it broke off. */
const WRAPPED = 8;
