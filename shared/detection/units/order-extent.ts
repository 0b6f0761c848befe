import { pausing, type Span, type Steps } from '../../text/index.ts';
import { UNIT } from '../operating-points/units.ts';
import type { WithheldRange } from '../types.ts';
import type { OrderReader } from './order-reader.ts';
import { sentencesIn } from './sentences.ts';
import { overlaps, type Unit } from './unit.ts';

/** A longer unit is cut to the paragraphs of the finding and of the orders beside it. UTF-16 units. */
const MAX_UNIT = 4_000;
/** In a text without blank lines a paragraph is what lies this far from the finding. UTF-16 units. */
const NEIGHBOURHOOD = 1_000;
/** Sentences between two orders that are none. */
const MAX_NEUTRAL = 2;
/** A unit of so few words is a name or a label. */
const LABEL_WORDS = 2;
const WORDS = /[\p{L}\p{N}]/u;
/** If most of this many units before the finding are orders, the document consists of orders. */
const MANUAL_UNITS = 5;
/** What is left of a unit of which only the frame is left: marks, and a word or two before a colon. */
const FRAME = /^[^\p{L}\p{N}]*(?:\p{L}+[^\p{L}\p{N}]+){0,2}(?:\p{L}+)?[^\p{L}\p{N}]*$/u;

/**
 * Returns what is withheld for a finding: in its units everything from the first order to the last, then orders that
 * follow with at most two other sentences between them, across units. `isRules`: all of the text is orders, such as a
 * file of rules; only the finding's sentences are withheld, whatever their share.
 */
export function* orderExtent(
  units: readonly Unit[],
  found: Span,
  reader: OrderReader,
  isRules: boolean,
): Steps<WithheldRange[]> {
  const hits = hitBy(units, found);
  if (hits.length === 0) return [{ ...found, scope: found }];
  const search = new Search(found, reader, isRules);
  yield* pausing(hits, (unit) => search.readHit(unit), 1);
  if (isRules || isOfOrders(units.slice(0, units.indexOf(hits[0]!)), reader)) return search.ranges;
  for (const unit of units.slice(units.indexOf(hits.at(-1)!) + 1)) {
    yield;
    if (!search.readNext(unit)) break;
  }
  return search.ranges;
}

/** True if most of the units are orders, as in a manual: those that follow are its own. */
function isOfOrders(units: readonly Unit[], reader: OrderReader): boolean {
  const texts = units.filter(({ text }) => wordsIn(text) > LABEL_WORDS).slice(-MANUAL_UNITS);
  if (texts.length < MANUAL_UNITS) return false;
  const orders = texts.filter(({ text }) =>
    sentencesIn(text).some(({ start, end }) => reader.isOrder(text.slice(start, end))),
  );
  return orders.length >= texts.length * UNIT.manual;
}

/** Returns the units that a finding touches, without names and labels before and behind the others. */
function hitBy(units: readonly Unit[], found: Span): Unit[] {
  const hits = units.filter((unit) => overlaps(unit, found) && WORDS.test(unit.text));
  const isLong = ({ text }: Unit): boolean => wordsIn(text) > LABEL_WORDS;
  const first = hits.findIndex(isLong);
  return first === -1 ? hits : hits.slice(first, hits.findLastIndex(isLong) + 1);
}

/** Takes orders from the unit of the finding on. */
class Search {
  readonly ranges: WithheldRange[] = [];
  private readonly found: Span;
  private readonly reader: OrderReader;
  private readonly isRules: boolean;
  /** Sentences since the last order that are none. */
  private neutral = 0;
  /** The sentence before was an order. */
  private isAfterOrder = false;
  /** The last order speaks of what follows. */
  private isNext = false;

  constructor(found: Span, reader: OrderReader, isRules: boolean) {
    this.found = found;
    this.reader = reader;
    this.isRules = isRules;
  }

  /** Takes everything from the first order to the last of a unit with the finding. */
  readHit(unit: Unit): void {
    const sentences = sentencesIn(unit.text)
      .map((sentence) => this.shortened(unit, sentence))
      .filter((sentence) => this.isNear(unit, sentence));
    const taken = sentences.filter((sentence) => {
      const span = { start: unit.at(sentence.start), end: unit.at(sentence.end) };
      return this.takes(unit, sentence, overlaps(span, this.found));
    });
    this.add(unit, taken, sentences);
  }

  /** Takes the orders of the next unit; returns false if none can follow. */
  readNext(unit: Unit): boolean {
    if (wordsIn(unit.text) <= LABEL_WORDS && !this.isNext) return true;
    const sentences = sentencesIn(unit.text);
    const taken: Span[] = [];
    for (const sentence of sentences) {
      if (this.takes(unit, sentence, false)) taken.push(sentence);
      else if (this.neutral > MAX_NEUTRAL) break;
    }
    this.add(unit, taken, sentences);
    return this.neutral <= MAX_NEUTRAL;
  }

  private takes({ text }: Unit, { start, end }: Span, isFound: boolean): boolean {
    const sentence = text.slice(start, end);
    if (!isFound && !this.isNext && !this.isOrder(sentence)) {
      this.neutral++;
      this.isAfterOrder = false;
      return false;
    }
    this.isNext = !this.isRules && this.reader.pointsOn(sentence);
    this.neutral = 0;
    this.isAfterOrder = true;
    return true;
  }

  private isOrder(sentence: string): boolean {
    return !this.isRules && this.reader.isOrder(sentence, this.isAfterOrder);
  }

  private add(unit: Unit, taken: readonly Span[], sentences: readonly Span[]): void {
    const first = taken[0];
    if (first === undefined) return;
    const range = rangeIn(unit, { start: first.start, end: taken.at(-1)!.end }, sentences);
    this.ranges.push({ ...range, scope: this.isRules ? range : spanOf(unit) });
  }

  /** Cuts a sentence without an end near the finding. */
  private shortened(unit: Unit, { start, end }: Span): Span {
    if (end - start <= NEIGHBOURHOOD * 2) return { start, end };
    let first = start;
    let last = end;
    while (first < last && unit.at(first) < this.found.start - NEIGHBOURHOOD) first++;
    while (last > first && unit.at(last) > this.found.end + NEIGHBOURHOOD) last--;
    return { start: first, end: last };
  }

  /** False for sentences of a long unit that are far from the finding. */
  private isNear(unit: Unit, { start, end }: Span): boolean {
    const { text } = unit;
    if (text.length <= NEIGHBOURHOOD * 2) return true;
    if (text.length <= MAX_UNIT && /\n\s*\n/.test(text)) return true;
    return (
      unit.at(end) >= this.found.start - NEIGHBOURHOOD && unit.at(start) <= this.found.end + NEIGHBOURHOOD
    );
  }
}

/** Returns a part of a unit; all of the unit if nothing but its frame is left. */
function rangeIn(unit: Unit, { start, end }: Span, sentences: readonly Span[]): Span {
  const rest = unit.text.slice(0, start) + unit.text.slice(end);
  const isAll = sentences[0]!.start === start && sentences.at(-1)!.end === end;
  return isAll || FRAME.test(rest) ? spanOf(unit) : { start: unit.at(start), end: unit.at(end) };
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
