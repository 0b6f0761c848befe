import { OffsetMap } from '../normalize/offset-map.ts';
import type { Find } from './disguised.ts';
import type { Escape, NextEscape } from './escapes.ts';
import type { PiiSpan } from './spans.ts';

/** Around an escape so much is read again; what lies further apart is read apart. */
const REACH = 120;
/** So much follows the last one: values that are glued to each other are told apart from their first on. */
const REACH_BEHIND = 256;
/** What begins this close to where a region was cut out has lost the words before it. */
const LEAD = 48;
/** Nor is a value cut that stands there. */
const MAX_TOKEN = 512;

/**
 * What `find` finds around escapes when they are read as what they stand for, at its place in `text`. `next` gives the
 * escapes. Linear.
 */
export function behindEscapes(text: string, next: NextEscape, find: Find): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let first = next(0);
  let floor = 0;
  while (first !== undefined) {
    const { plain, map, empty, last, behind, isCut } = readRegion(text, first, floor, next);
    for (const span of find(plain)) {
      if ((map.originalAt(0) > 0 && span.start < LEAD) || (isCut && span.end === plain.length)) continue;
      let end = map.originalAt(span.end);
      for (let start = empty.get(end); start !== undefined; start = empty.get(end)) end = start;
      const confidence = Math.min(span.confidence, 0.9);
      spans.push({ ...span, start: map.originalAt(span.start), end, confidence });
    }
    floor = last;
    first = behind;
  }
  return spans;
}

interface Region {
  readonly plain: string;
  /** From `plain` to the text. */
  readonly map: OffsetMap;
  /** Where escapes begin that stand for nothing, by their end: no value ends with one. */
  readonly empty: ReadonlyMap<number, number>;
  /** Where its last escape ends. */
  readonly last: number;
  /** The first escape that belongs to no region yet. */
  readonly behind: Escape | undefined;
  /** The text goes on behind it. */
  readonly isCut: boolean;
}

/** The text around `first` and the escapes that follow it closely. It begins behind `floor`, the escapes of the region before. */
function readRegion(text: string, first: Escape, floor: number, next: NextEscape): Region {
  const map = new OffsetMap();
  const empty = new Map<number, number>();
  let plain = '';
  let at = tokenStart(text, first.start - REACH, floor);
  map.add(0, at, true);
  let one: Escape | undefined = first;
  while (one !== undefined && (one === first || one.start - at <= REACH)) {
    plain += text.slice(at, one.start);
    map.add(plain.length, one.start, false);
    plain += one.plain;
    at = one.end;
    if (one.plain === '') empty.set(at, one.start);
    map.add(plain.length, at, true);
    one = next(at);
  }
  const end = Math.min(tokenEnd(text, at + REACH_BEHIND), one?.start ?? text.length);
  return { plain: plain + text.slice(at, end), map, empty, last: at, behind: one, isCut: end < text.length };
}

function tokenStart(text: string, from: number, floor: number): number {
  const least = Math.max(floor, from - MAX_TOKEN);
  let start = Math.max(floor, from);
  while (start > least && text.charCodeAt(start - 1) > 32) start--;
  return start;
}

function tokenEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_TOKEN);
  let end = Math.min(text.length, from);
  while (end < limit && text.charCodeAt(end) > 32) end++;
  return end;
}
