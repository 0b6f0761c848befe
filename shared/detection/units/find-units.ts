import { closingQuote, type Span, type Steps } from '../../text/index.ts';
import { isJsonText } from '../json-text.ts';
import { unescaped } from './escapes.ts';
import { filled, readFormat } from './formats.ts';
import { paragraphs } from './lines.ts';
import type { Unit } from './unit.ts';

/** The text before and behind a finding in which its format is read. UTF-16 units. */
const BEFORE = 4_096;
const BEHIND = 4_096;
/** Formats inside of others: Markdown in YAML in JSON. */
const MAX_DEPTH = 4;

type Offsets = (index: number) => number;

/**
 * Returns the units around a finding and behind it, in order. `isJson`: the whole text is JSON. Reads at most 8,192
 * characters of each string or text.
 */
export function* findUnits(text: string, found: Span, scope: Span, isJson: boolean): Steps<Unit[]> {
  const units: Unit[] = [];
  const regions = isJson ? stringsFrom(text, found) : [scope];
  for (const region of regions) {
    const { start, end } = windowIn(text, region, found);
    yield* addUnits(units, text.slice(start, end), (index) => start + index, isJson ? 1 : 0, isJson);
  }
  return units;
}

function* addUnits(units: Unit[], raw: string, at: Offsets, depth: number, isEscaped: boolean): Steps<void> {
  const { text, offsets } = isEscaped ? unescaped(raw) : { text: raw, offsets: undefined };
  const inner: Offsets = offsets === undefined ? at : (index) => at(offsets.originalAt(index));
  const add = (start: number, end: number): void => {
    units.push({
      start: inner(start),
      end: inner(end),
      text: text.slice(start, end),
      at: (index) => inner(start + index),
    });
  };
  if (depth > 0 && (yield* isJsonText(text))) {
    for (const { start, end } of stringsFrom(text, { start: 0, end: text.length }))
      yield* addUnits(units, text.slice(start, end), (index) => inner(start + index), depth + 1, true);
    return;
  }
  const spans = depth > MAX_DEPTH ? undefined : yield* readFormat(text);
  if (spans === undefined && depth > 0) return add(0, text.length);
  for (const { start, end, isComment } of filled(text, spans ?? [])) {
    const isWhole = end - start >= text.length - 2;
    if (spans === undefined || isWhole || isComment) add(start, end);
    else {
      const piece = text.slice(start, end);
      yield* addUnits(units, piece, (index) => inner(start + index), depth + 1, false);
    }
  }
}

/** Returns the paragraphs around a finding and behind it. */
export function paragraphsAround(text: string, found: Span, scope: Span): Unit[] {
  const { start, end } = windowIn(text, scope, found);
  return paragraphs(text.slice(start, end)).map((paragraph) => ({
    start: start + paragraph.start,
    end: start + paragraph.end,
    text: text.slice(start + paragraph.start, start + paragraph.end),
    at: (index) => start + paragraph.start + index,
  }));
}

/** Returns the part of a region that is read: around the finding, from the beginning of a line to the end of one. */
function windowIn(text: string, region: Span, found: Span): Span {
  const low = Math.max(region.start, Math.min(found.start - BEFORE, region.end));
  const high = Math.min(region.end, Math.max(found.end, region.start) + BEHIND);
  const line = low > region.start ? text.indexOf('\n', low) + 1 : low;
  const start = line > low && line <= found.start ? line : low;
  const last = high < region.end ? text.lastIndexOf('\n', high) : high;
  return { start, end: last > Math.max(start, found.end) ? last : high };
}

/** Returns the contents of the JSON strings from the one that a finding begins in, up to BEHIND after it. */
function stringsFrom(json: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  for (let open = json.indexOf('"'); open !== -1 && open < end + BEHIND; ) {
    const close = closingQuote(json, open);
    if (close === -1) break;
    if (close > start && close > open + 1) found.push({ start: open + 1, end: close });
    open = json.indexOf('"', close + 1);
  }
  return found;
}
