import { OffsetMap } from '../normalize/offset-map.ts';
import type { Find } from './disguised.ts';
import type { Escape, NextEscape } from './escapes.ts';
import type { PiiSpan } from './spans.ts';

/** Around an escape so much is read again; what lies further apart is read apart. */
const REACH = 120;
/** What stands this far behind an escape, or this close before it, may be another value than it seems. */
const LEAD = 48;
const TRAIL = 16;
/** A value that a region's last escape begins is not cut. */
const MAX_TOKEN = 512;

/**
 * What `find` finds where escapes are read as what they stand for, at its place in `text`: values with an escape in them
 * or beside them. `next` gives the escapes. Linear.
 */
export function behindEscapes(text: string, next: NextEscape, find: Find): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let escape = next(0);
  while (escape !== undefined) {
    const { plain, map, marks, empty, behind } = readRegion(text, escape, next);
    for (const span of find(plain)) {
      if (!isNear(marks, span.start - LEAD, span.end + TRAIL)) continue;
      let end = map.originalAt(span.end);
      for (let start = empty.get(end); start !== undefined; start = empty.get(end)) end = start;
      const confidence = Math.min(span.confidence, 0.9);
      spans.push({ ...span, start: map.originalAt(span.start), end, confidence });
    }
    escape = behind;
  }
  return spans;
}

interface Region {
  readonly plain: string;
  /** From `plain` to the text. */
  readonly map: OffsetMap;
  /** Where the escapes' characters stand in `plain`. */
  readonly marks: readonly number[];
  /** Where escapes begin that stand for nothing, by their end: no value ends with one. */
  readonly empty: ReadonlyMap<number, number>;
  /** The first escape that belongs to no region yet. */
  readonly behind: Escape | undefined;
}

/** The text around `first` and the escapes that follow it closely. */
function readRegion(text: string, first: Escape, next: NextEscape): Region {
  const map = new OffsetMap();
  const marks: number[] = [];
  const empty = new Map<number, number>();
  let plain = '';
  let at = Math.max(0, first.start - REACH);
  map.add(0, at, true);
  let escape: Escape | undefined = first;
  while (escape !== undefined && escape.start - at <= REACH) {
    plain += text.slice(at, escape.start);
    marks.push(plain.length);
    map.add(plain.length, escape.start, false);
    plain += escape.plain;
    at = escape.end;
    if (escape.plain === '') empty.set(at, escape.start);
    map.add(plain.length, at, true);
    escape = next(at);
  }
  const end = Math.min(tokenEnd(text, at + REACH), escape?.start ?? text.length);
  return { plain: plain + text.slice(at, end), map, marks, empty, behind: escape };
}

function tokenEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_TOKEN);
  let end = Math.min(text.length, from);
  while (end < limit && text.charCodeAt(end) > 32) end++;
  return end;
}

/** True where one of the ascending `marks` lies between. */
function isNear(marks: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low < marks.length && marks[low]! <= to;
}
