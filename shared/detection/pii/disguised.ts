import { nextPlace } from '../normalize/escapes.ts';
import { findLetterCode } from '../normalize/letter-shifts.ts';
import { base64Text, hexText } from '../normalize/transport-codes.ts';
import type { PiiSpan } from './spans.ts';

type Find = (text: string) => PiiSpan[];

const MIN_CODE = 16;

/** ASCII characters written as percent codes, entities or backslash escapes. */
const ESCAPES =
  /%[2-7][0-9a-f]|&#(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6]);|&#x[2-7][0-9a-f];|&(?:commat|period|hyphen|colon|plus|num|lowbar|dash);|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]/gi;
const ESCAPE_AT = new RegExp(ESCAPES.source, 'iy');
const SIGNS = ['%', '&', '\\'];
const NAMED: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  hyphen: '-',
  dash: '-',
  colon: ':',
  plus: '+',
  num: '#',
  lowbar: '_',
};
/** Around an escape so much is read again; what lies further apart is read apart. */
const REACH = 120;
const MAX_REGION = 4_000;
const MAX_REGIONS = 40;

/** "the", "and" and "for" in a text that is written from its end. */
export const BACKWARDS = / (?:eht|dna|rof) /;
const MAX_BACKWARDS = 20_000;
/** Lines and quoted values. */
const LINE = /[^\n"]+/g;

/** What `find` finds in a token of base64 or hex, at the place of the whole run; `name=` before it stays. */
export function findInToken(text: string, start: number, end: number, find: Find): PiiSpan | undefined {
  const equals = start + text.slice(start, end).indexOf('=');
  const from = equals > start && equals < end - MIN_CODE ? equals + 1 : start;
  if (end - from < MIN_CODE) return undefined;
  const run = text.slice(from, end);
  const inside = base64Text(run) ?? hexText(run);
  const found = inside === undefined ? undefined : find(inside)[0];
  return found === undefined ? undefined : disguised(found, from, end);
}

/**
 * What `find` finds behind percent codes, entities and escapes, at their place. Bounded in pieces; reads nothing again
 * that holds none.
 */
export function behindEscapes(text: string, find: Find): PiiSpan[] {
  const from = Math.min(...SIGNS.map((sign) => nextPlace(text, sign, ESCAPE_AT, 0)));
  if (from === Number.POSITIVE_INFINITY) return [];
  const spans: PiiSpan[] = [];
  ESCAPES.lastIndex = from;
  let first = ESCAPES.exec(text);
  for (let regions = 0; first !== null && regions < MAX_REGIONS; regions++) {
    const start = Math.max(0, first.index - REACH);
    let plain = text.slice(start, first.index);
    const places: number[] = Array.from(plain, (_, i) => start + i);
    let at = first.index;
    let next: RegExpExecArray | null = first;
    while (next !== null && next.index - at <= REACH && next.index - start < MAX_REGION) {
      for (; at < next.index; at++) {
        plain += text[at];
        places.push(at);
      }
      plain += unescaped(next[0]);
      places.push(at);
      at += next[0].length;
      next = ESCAPES.exec(text);
    }
    const end = Math.min(text.length, at + REACH, next?.index ?? text.length);
    for (; at < end; at++) {
      plain += text[at];
      places.push(at);
    }
    places.push(end);
    for (const span of find(plain)) {
      const from = places[span.start]!;
      const to = places[span.end]!;
      if (to - from > span.end - span.start) spans.push(disguised(span, from, to));
    }
    first = next;
  }
  return spans;
}

function unescaped(written: string): string {
  const name = /^&([a-z]+);$/i.exec(written);
  if (name !== null) return NAMED[name[1]!.toLowerCase()] ?? ' ';
  const decimal = /^&#(\d+);$/.exec(written);
  if (decimal !== null) return String.fromCharCode(Number(decimal[1]));
  return String.fromCharCode(Number.parseInt(/([0-9a-f]{2});?$/i.exec(written)![1]!, 16));
}

/** What `find` finds in lines that are written from their end, at the mirrored place. */
export function backwards(text: string, find: Find): PiiSpan[] {
  if (text.length > MAX_BACKWARDS || !BACKWARDS.test(text)) return [];
  const spans: PiiSpan[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (!BACKWARDS.test(line)) continue;
    const code = findLetterCode(line);
    if (code?.kind !== 'reversed') continue;
    const end = index + line.length;
    for (const span of find(code.decode(line))) spans.push(disguised(span, end - span.end, end - span.start));
  }
  return spans;
}

function disguised(span: PiiSpan, start: number, end: number): PiiSpan {
  return { ...span, start, end, confidence: Math.min(span.confidence, 0.9) };
}
