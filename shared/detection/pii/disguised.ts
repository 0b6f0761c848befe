import { INVISIBLE } from '../normalize/fold-code.ts';
import { findLetterCode, reversed } from '../normalize/letter-shifts.ts';
import { base64Text, hexText } from '../normalize/transport-codes.ts';
import { VALUE } from '../operating-points/values.ts';
import type { LiveReach } from '../reach.ts';
import type { Text } from '../read/codes.ts';
import { TOKEN } from '../secrets/api-key.ts';
import type { Workspace } from '../workspace.ts';
import { isAlnum } from './char-class.ts';
import type { PiiSpan } from './spans.ts';

export type Find = (text: string) => PiiSpan[];

/** Reads what is written in another way. A new one is a row, and belongs in the list of `find-sensitive.ts`. */
export interface Reading {
  readonly reach: LiveReach;
}

/** An SSN in base64 takes fifteen characters. */
const MIN_CODE = 15;
const MAX_TOKEN = 512;

/** "the", "and" and "for" in reversed text. */
export const BACKWARDS = / (?:eht|dna|rof) /;
const MAX_BACKWARDS = 20_000;
/** Lines and quoted values. */
const LINE = /[^\n"]+/g;

/**
 * Returns what `find` finds in a token of base64 or hex, at the position of the whole run; `name=` before it is
 * excluded. In a URL the run is only part of the token.
 */
function findInToken(text: string, start: number, end: number, find: Find): PiiSpan | undefined {
  const equals = start + text.slice(start, end).indexOf('=');
  const from = equals > start && equals < end - MIN_CODE ? equals + 1 : start;
  return findInRun(text, from, end, find) ?? findInParts(text, from, end, find);
}

export const IN_TOKEN = {
  find: findInToken,
  // a name before it makes the token itself a secret
  reach: TOKEN.reach,
} as const satisfies Reading & { readonly find: typeof findInToken };

/** Checks each character before decoding: nearly all long tokens are names and paths. */
function findInRun(text: string, start: number, end: number, find: Find): PiiSpan | undefined {
  if (end - start < MIN_CODE) return undefined;
  let seen = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    seen |= code < 128 ? CODE_CLASS[code]! : OTHER;
  }
  if ((seen & OTHER) !== 0) return undefined;
  const run = text.slice(start, end);
  const isBase64 = (seen & UPPER) !== 0 && (seen & LOWER) !== 0 && beginsText(text, start);
  const inside =
    (isBase64 ? base64Text(run, MIN_CODE) : undefined) ??
    ((seen & BEYOND_HEX) === 0 ? hexText(run) : undefined);
  const found = inside === undefined ? undefined : find(inside)[0];
  return found === undefined ? undefined : disguised(found, start, end);
}

/** The number of base64 characters that distinguish names from encoded text. At least MIN_CODE follow the first. */
const HEAD = 12;

/**
 * True if base64 from `start` on begins with the bytes of a text: valid UTF-8 without control characters, or UTF-16.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bits of every long run of letters
function beginsText(text: string, start: number): boolean {
  let bits = 0;
  let following = 0;
  for (let i = 0; i < HEAD; i++) {
    bits = (bits << 6) | BASE64[text.charCodeAt(start + i)]!;
    if (i % 4 === 0) continue;
    const byte = (bits >> (6 - 2 * (i % 4))) & 255;
    if (byte > 253 && i < 3) return true;
    if (following > 0) {
      if (byte >> 6 !== 2) return false;
      following--;
    } else if (byte > 127) {
      following = byte < 194 || byte > 244 ? -1 : byte < 224 ? 1 : byte < 240 ? 2 : 3;
      if (following < 0) return false;
    } else if (byte < 32 && byte !== 0 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  }
  return true;
}

const BASE64 = new Uint8Array(128);
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  BASE64[sign.charCodeAt(0)] = value;
BASE64[45] = 62;
BASE64[95] = 63;

const UPPER = 1;
const LOWER = 2;
/** A base64 character that is not a hex digit. */
const BEYOND_HEX = 4;
const OTHER = 8;
const CODE_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (!/[\w+/=-]/.test(sign)) return OTHER;
  const letterCase = /[A-Z]/.test(sign) ? UPPER : /[a-z]/.test(sign) ? LOWER : 0;
  return letterCase | (/[0-9a-f]/i.test(sign) ? 0 : BEYOND_HEX);
});

/** Searches the parts of a path, a file name or a token of three parts. */
function findInParts(text: string, start: number, end: number, find: Find): PiiSpan | undefined {
  if (end - start > MAX_TOKEN) return undefined;
  let from = start;
  for (let at = start; at <= end; at++) {
    const code = text.charCodeAt(at);
    if (at < end && code !== DOT && code !== SLASH) continue;
    const isPart = from > start || at < end;
    const found = isPart ? findInRun(text, from, at, find) : undefined;
    if (found !== undefined) return found;
    from = at + 1;
  }
  return undefined;
}

const DOT = 46;
const SLASH = 47;

/** Returns what `find` finds in reversed lines, at the mirrored position. */
function backwards(text: string, workspace: Workspace, find: Find): PiiSpan[] {
  if (text.length > MAX_BACKWARDS || !BACKWARDS.test(text)) return [];
  const spans: PiiSpan[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (!BACKWARDS.test(line) || findLetterCode(line, workspace)?.kind !== 'reversed') continue;
    for (const span of mirrored(text, index, index + line.length, workspace, find)) spans.push(span);
  }
  return spans;
}

/** The words that name a value come after it. A line is only read if it has reversed words, which may come later. */
export const BACKWARDS_LINES = {
  find: backwards,
  reach: { sign: 'a mixed word', before: 0, after: 240, ends: 'at a distance' },
} as const satisfies Reading & { readonly find: typeof backwards };

/** Returns what `find` finds in the reversed `text[start, end)`. */
function mirrored(text: string, start: number, end: number, workspace: Workspace, find: Find): PiiSpan[] {
  return find(reversed(text.slice(start, end), workspace)).map((span) =>
    disguised(span, end - span.end, end - span.start),
  );
}

export const TURNED = {
  find: mirrored,
  reach: { sign: INVISIBLE, before: 0, after: Number.POSITIVE_INFINITY, ends: 'with the text' },
} as const satisfies Reading & { readonly find: typeof mirrored };

/** A shorter row of characters separated by the same sign may be a list of initials. */
const MIN_APART = 8;
const MAX_APART = 4_000;

/** Returns what `find` finds in ranges whose characters are separated by the same sign: `j.a.n.e.@.…`, `4 1 1 1 …`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk over every character of a text
function apart({ string: text, codes }: Text, find: Find): PiiSpan[] {
  let floor = 0;
  const spans: PiiSpan[] = [];
  // A range is at least twice as long as the step, so none is skipped.
  for (let i = 0; i + MIN_APART < text.length; i += MIN_APART) {
    // One comparison excludes nearly all positions.
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
    // The last letter of the word before is not part of it, nor the first of the word after.
    const start = first === 0 || isAlnum(text, first - 2) ? first + 1 : first - 1;
    const end = isAlnum(text, last + 2) ? last : Math.min(text.length, last + 2);
    if (end - start >= MIN_APART * 2 - 1) {
      let plain = '';
      for (let at = start; at < end; at += 2) plain += text[at];
      // Separated digits are handled with numbers.
      if (/[a-z]/i.test(plain)) {
        for (const span of find(plain))
          spans.push(disguised(span, start + span.start * 2, start + span.end * 2 - 1));
      }
    }
    i = Math.max(i, last);
    floor = last;
  }
  return spans;
}

export const APART = {
  find: apart,
  // until it is known whether they are enough for a key, which may have any length
  reach: { sign: 'characters apart', before: 0, after: 32, ends: 'with the text' },
} as const satisfies Reading & { readonly find: typeof apart };

/** True if the same sign, not a letter or digit, is at every other position from `at` on. */
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
  return { ...span, start, end, confidence: Math.min(span.confidence, VALUE.mostDisguised) };
}
