import { OffsetMap } from '../normalize/offset-map.ts';
import { VALUE } from '../operating-points/values.ts';
import type { Find, Reading } from './disguised.ts';
import { ESCAPE_SIGN, type Escape, type NextEscape } from './escapes.ts';
import type { PiiSpan } from './spans.ts';

/** The text read around an escape; escapes further apart are read separately. */
const REACH = 120;
/** The text read after the last escape, because adjacent values are separated from the first one on. */
const REACH_BEHIND = 256;
/** Values this close to the start of a cut-out region are ignored, because the words before them are missing. */
const LEAD = 48;
/** The maximum extension of a region, so that it does not cut a value. */
const MAX_TOKEN = 512;

/**
 * Returns the values that `find` finds around decoded escapes, at their positions in `text`. `next` returns the
 * escapes. Linear.
 */
function findInEscapes(text: string, next: NextEscape, find: Find): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let first = next(0);
  let floor = 0;
  while (first !== undefined) {
    const { plain, map, empty, last, behind, isCut } = readRegion(text, first, floor, next);
    for (const span of find(plain)) {
      if ((map.originalAt(0) > 0 && span.start < LEAD) || (isCut && span.end === plain.length)) continue;
      let end = map.originalAt(span.end);
      for (let start = empty.get(end); start !== undefined; start = empty.get(end)) end = start;
      const confidence = Math.min(span.confidence, VALUE.mostDisguised);
      spans.push({ ...span, start: map.originalAt(span.start), end, confidence });
    }
    floor = last;
    first = behind;
  }
  return spans;
}

/** The meaning of an escape depends on how many escapes the whole text has. */
export const IN_ESCAPES = {
  find: findInEscapes,
  reach: {
    sign: ESCAPE_SIGN,
    before: REACH + MAX_TOKEN,
    after: Number.POSITIVE_INFINITY,
    ends: 'with the text',
  },
} as const satisfies Reading & { readonly find: typeof findInEscapes };

interface Region {
  readonly plain: string;
  /** Maps `plain` to the text. */
  readonly map: OffsetMap;
  /** Starts of escapes that decode to nothing, by their ends: no value ends with one. */
  readonly empty: ReadonlyMap<number, number>;
  /** The end of its last escape. */
  readonly last: number;
  /** The first escape after the region. */
  readonly behind: Escape | undefined;
  /** True if the text continues after it. */
  readonly isCut: boolean;
}

/**
 * Reads the region around `first` and the escapes that closely follow it. It begins after `floor`, the end of the last
 * escape of the previous region.
 */
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
