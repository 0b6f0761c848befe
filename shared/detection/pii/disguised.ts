import { nextPlace } from '../normalize/escapes.ts';
import { findLetterCode, reversed } from '../normalize/letter-shifts.ts';
import { base64Text, hexText } from '../normalize/transport-codes.ts';
import { codesOf } from '../read/codes.ts';
import { isAlnum } from './char-class.ts';
import type { PiiSpan } from './spans.ts';

type Find = (text: string) => PiiSpan[];

const MIN_CODE = 16;

/** ASCII characters written as percent codes, entities or backslash escapes. */
const ESCAPES =
  /%(?:25)*[2-7][0-9a-f]|&#0{0,9}(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])(?!\d);?|&#x0{0,9}[2-7][0-9a-f](?![0-9a-f]);?|&(?:commat|period|hyphen|colon|plus|num|lowbar|dash);|\\u00[2-7][0-9a-f]|\\u\{0{0,4}[2-7][0-9a-f]\}|\\x[2-7][0-9a-f]|\\(?:0[4-7][0-7]|1[0-7]{2})|\\0{0,4}[2-7][0-9a-f](?: |(?![0-9a-z]))/gi;
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
      plain += text.slice(at, next.index);
      for (; at < next.index; at++) places.push(at);
      plain += unescaped(next[0]);
      places.push(at);
      at += next[0].length;
      next = ESCAPES.exec(text);
    }
    const end = Math.min(text.length, at + REACH, next?.index ?? text.length);
    plain += text.slice(at, end);
    for (; at < end; at++) places.push(at);
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
  if (written.startsWith('&')) {
    const name = /^&([a-z]+);$/i.exec(written);
    if (name !== null) return NAMED[name[1]!.toLowerCase()] ?? ' ';
    const decimal = /^&#(\d+);?$/.exec(written);
    if (decimal !== null) return String.fromCharCode(Number(decimal[1]));
  } else if (written.startsWith('\\')) {
    const octal = /^\\([01][0-7]{2})$/.exec(written);
    if (octal !== null) return String.fromCharCode(Number.parseInt(octal[1]!, 8));
  }
  return String.fromCharCode(Number.parseInt(/([0-9a-f]{2})[;} ]?$/i.exec(written)![1]!, 16));
}

/** What `find` finds in lines that are written from their end, at the mirrored place. */
export function backwards(text: string, find: Find): PiiSpan[] {
  if (text.length > MAX_BACKWARDS || !BACKWARDS.test(text)) return [];
  const spans: PiiSpan[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (!BACKWARDS.test(line) || findLetterCode(line)?.kind !== 'reversed') continue;
    spans.push(...mirrored(text, index, index + line.length, find));
  }
  return spans;
}

/** What `find` finds in `text[start, end)` read from its end. */
export function mirrored(text: string, start: number, end: number, find: Find): PiiSpan[] {
  const sum = start + end;
  return find(reversed(text.slice(start, end))).map((span) =>
    disguised(span, sum - (start + span.end), sum - (start + span.start)),
  );
}

/** So many characters apart by the same sign are no list of initials. */
const MIN_APART = 8;
const MAX_APART = 4_000;

/** What `find` finds in stretches whose characters stand apart by one and the same sign: `j.a.n.e.@.…`, `4 1 1 1 …`. */
export function apart(text: string, find: Find): PiiSpan[] {
  const codes = codesOf(text);
  let floor = 0;
  const plains: { readonly plain: string; readonly offset: number }[] = [];
  // a stretch is at least twice as long as the step, so that none is stepped over
  for (let i = 0; i + MIN_APART < text.length; i += MIN_APART) {
    // one comparison rules nearly all places out
    const sign =
      codes[i] === codes[i + 2] && isApart(codes, i)
        ? codes[i]!
        : codes[i + 1] === codes[i + 3] && isApart(codes, i + 1)
          ? codes[i + 1]!
          : 0;
    if (sign === 0) continue;
    const middle = codes[i] === sign ? i : i + 1;
    let first = middle;
    while (first - 2 >= floor && codes[first - 2] === sign) first -= 2;
    let last = middle;
    while (codes[last + 2] === sign && last - first < MAX_APART) last += 2;
    // the last letter of a word before is none of them, nor the first of one behind
    const start = first === 0 || isAlnum(text, first - 2) ? first + 1 : first - 1;
    const end = isAlnum(text, last + 2) ? last : Math.min(text.length, last + 2);
    if (end - start >= MIN_APART * 2 - 1) {
      let plain = '';
      for (let at = start; at < end; at += 2) plain += text[at];
      // digits apart are read where numbers are
      if (/[a-z]/i.test(plain)) plains.push({ plain, offset: start });
    }
    i = Math.max(i, last);
    floor = last;
  }
  // last, because finding reads another text
  return plains.flatMap(({ plain, offset }) =>
    find(plain).map((span) => disguised(span, offset + span.start * 2, offset + span.end * 2 - 1)),
  );
}

/** True where the same sign, no letter and no digit, stands at every other place from `at` on. */
function isApart(codes: Uint16Array, at: number): boolean {
  const code = codes[at]!;
  if (codes[at + 2] !== code || codes[at + 4] !== code || codes[at + 6] !== code) return false;
  if (codes[at + 1] === code && codes[at + 3] === code) return false;
  return (
    code > 0 &&
    (code < 48 || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 128))
  );
}

function disguised(span: PiiSpan, start: number, end: number): PiiSpan {
  return { ...span, start, end, confidence: Math.min(span.confidence, 0.9) };
}
