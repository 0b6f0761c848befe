import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import { maxNgrams, mix, ngramsOf } from '../model/ngrams.ts';
import type { Text } from '../read/codes.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import { nearestNumber } from './numbers.ts';
import { type Guard, keepingBits } from './read-guard.ts';
import { eachStem } from './stems.ts';
import { KEY, SECRET } from './tables.ts';

/** Features are hashed into this many weights: n-grams into the lower half, all else into the upper one. */
export const GUARDED_BITS = 16;
const HALF = 1 << (GUARDED_BITS - 1);
const MASK = HALF - 1;

/** A window extends to the last unit that ends within this length. UTF-16 units. */
export const MAX_WINDOW = 600;
const CONCEPTS = CONCEPT_NAMES.length;

/** Features of a window of a user's text relative to a guard: indexes into the weights. */
export interface GuardedFeatures {
  /** N-grams of characters and words. */
  readonly ngrams: readonly number[];
  /** Meanings, their pairs, and how they relate to what is guarded. */
  readonly meanings: readonly number[];
  /** Features of the window as a whole. */
  readonly shape: readonly number[];
}

/** Returns the features of the units `first` to `last` of a text that was read. */
export function guardedFeatures(
  text: Text,
  reading: TokenizedText,
  first: number,
  last: number,
  guard: Guard,
): GuardedFeatures {
  const start = reading.unitStart[first]!;
  const end = reading.unitEnd[last]!;
  const relation = relationOf(text.string, start, end, guard);
  return {
    ngrams: ngramsIn(text.codes, start, end),
    meanings: meaningsOf(reading, first, last, relation.degree * 2 + (guard.isKey ? 1 : 0)),
    shape: shapeOf(text.string, start, end, guard, relation),
  };
}

function ngramsIn(codes: Uint16Array, start: number, end: number): readonly number[] {
  const found = new Int32Array(maxNgrams(end - start));
  const count = ngramsOf(codes, start, end, found);
  const ngrams: number[] = [];
  for (let i = 0; i < count; i++) ngrams.push(found[i]! & MASK);
  return ngrams;
}

function meaningsOf(
  { words, unit, concept }: TokenizedText,
  first: number,
  last: number,
  degree: number,
): readonly number[] {
  const known = new Set<number>();
  for (let w = 0; w < words; w++)
    if (concept[w] !== 0 && unit[w]! >= first && unit[w]! <= last) known.add(concept[w]!);
  const meanings: number[] = [];
  const list = [...known];
  for (const [index, meaning] of list.entries()) {
    meanings.push(upper(meaning), upper(CONCEPTS * (1 + degree) + meaning));
    for (const other of list.slice(0, index))
      meanings.push(upper(100_000 + Math.min(meaning, other) * 256 + Math.max(meaning, other)));
  }
  return meanings;
}

/** What a user's text has in common with the developer's. */
interface Relation {
  /** 0 nothing; 1 only words of sentences that guard nothing; 2 one word of what is guarded; 3 more. */
  readonly degree: number;
  readonly guarded: number;
  readonly others: number;
  /** Share of its stems that sentences of what is guarded have, in fifths. */
  readonly cover: number;
  /**
   * Distance of its numbers to the guarded ones: 0 one of both texts has none, 1 far, 2 equal number of digits, 3 near
   * or a part.
   */
  readonly numbers: number;
}

function relationOf(text: string, start: number, end: number, guard: Guard): Relation {
  const seen = new Set<number>();
  eachStem(text, start, end, (stem) => seen.add(stem));
  let guarded = 0;
  let others = 0;
  for (const stem of seen) {
    if (guard.guarded.has(stem)) guarded++;
    else if (guard.stems.has(stem)) others++;
  }
  return {
    degree: guarded > 1 ? 3 : guarded === 1 ? 2 : others > 0 ? 1 : 0,
    guarded,
    others,
    cover: Math.ceil((5 * guarded) / Math.max(1, seen.size)),
    numbers: nearestNumber(text.slice(start, end), guard.numbers),
  };
}

function shapeOf(text: string, start: number, end: number, guard: Guard, relation: Relation): number[] {
  const window = text.slice(start, end);
  const size = Math.min(9, Math.round(Math.log2(1 + end - start)));
  const named = keepingBits(window);
  // A request for the very thing names it, in any language, and little else.
  const names = ((named & KEY) !== 0 ? 2 : 0) + ((named & SECRET) !== 0 ? 1 : 0);
  const kept = guard.isKey ? 1 : 0;
  const shows = [
    1900 + relation.cover * 2 + kept,
    2000 + (size * 4 + names) * 2 + kept,
    2200 + (relation.cover * 4 + names) * 2 + kept,
    1000 + Math.min(5, relation.guarded),
    1100 + Math.min(3, relation.others),
    1200 + relation.degree * 2 + (guard.isKey ? 1 : 0),
    1800 + (guard.numbers.length > 0 ? 10 : 0) + relation.numbers,
    1300 + size,
    /[?？؟]/.test(window) ? 1400 : 1401,
    /\d/.test(window) ? 1500 : 1501,
    /["“”«»„「『']/.test(window) ? 1600 : 1601,
    /(?:\.\.\.|…|_{2,}|\*{3,}|[-–—:]\s*$)/.test(window) ? 1700 : 1701,
  ];
  return shows.map((code) => upper(code * 1_000));
}

const upper = (code: number): number => HALF + (mix(Math.imul(code + 1, 0x9e3779b1)) & MASK);
