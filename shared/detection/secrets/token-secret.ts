import { CHAR_CLASS, DIGIT, LETTER, TOKEN_EXTRA } from '../pii/char-class.ts';
import type { Recognized, Walk } from '../pii/recognizer.ts';
import { assignedAt, MIN_ASSIGNED } from './assigned-secret.ts';
import { knownIn } from './known-kinds.ts';

const TOKEN = DIGIT | LETTER | TOKEN_EXTRA;
/** The shortest token that is decoded. */
const MIN_CODE = 15;
/** Shorter than the part of every known form before its first character that is not part of a token. */
const MIN_FORM = 11;
/**
 * Tokens are read in pieces of this length, so that in a long run with many keys not every key causes a pass to its
 * end.
 */
const MAX_RUN = 2_048;

/** The class of a code in a token (DIGIT, LETTER, TOKEN_EXTRA); 0 if it ends the token. */
const TRAITS = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) TRAITS[code] = CHAR_CLASS[code]! & TOKEN;
/** Base64 of text has letters of both cases, hex has digits. */
const UPPER = 64;
const LOWER = 128;
for (let code = 65; code <= 90; code++) TRAITS[code] = TRAITS[code]! | UPPER;
for (let code = 97; code <= 122; code++) TRAITS[code] = TRAITS[code]! | LOWER;
const isCode = (traits: number): boolean =>
  (traits & (UPPER | LOWER)) === (UPPER | LOWER) || (traits & DIGIT) !== 0;

/** The result for a token. */
export interface TokenRead extends Recognized {
  /** True if nothing was recognized and the token may be base64 or hex. */
  readonly isCode: boolean;
}

/** Returns a key by its form, or a value by what it is assigned to, in the token that begins at `at`. */
export function tokenSecretAt({ text, codes }: Pick<Walk, 'text' | 'codes'>, at: number): TokenRead {
  const table = TRAITS;
  const limit = Math.min(text.length, at + MAX_RUN);
  let traits = 0;
  let end = at;
  for (let bits = table[codes[end]!]!; bits !== 0 && end < limit; bits = table[codes[++end]!]!)
    traits |= bits;
  const known = knownIn(text, codes, at, end);
  if (known !== undefined) return { span: known, next: known.end, isCode: false };
  if (end - at < MIN_CODE || (traits & LETTER) === 0) return { next: end, isCode: false };
  const span = end - at >= MIN_ASSIGNED ? assignedAt(text, at, end) : undefined;
  return span === undefined ? { next: end, isCode: isCode(traits) } : { span, next: end, isCode: false };
}

/**
 * Returns the start of the next run of token characters that is as long as the shortest form. Each candidate is scanned
 * from its end.
 */
export function nextLongToken(codes: Uint16Array, from: number, length: number): number {
  const table = TRAITS;
  let start = from;
  while (start + MIN_FORM <= length) {
    let at = start + MIN_FORM - 1;
    while (at >= start && table[codes[at]!] !== 0) at--;
    if (at < start) return start;
    start = at + 1;
  }
  return length;
}

/** The length of the identifiers that S3-alikes make. */
export const CAPITALS = 20;
/** Fewer digits are a constant's name. */
const LEAST_DIGITS = 2;

/** Returns the start of `CAPITALS` capitals and digits, not more, that begin or end the token; -1: none. */
export function capitalsIn(codes: Uint16Array, start: number, end: number): number {
  if (end - start < CAPITALS) return -1;
  if (areCapitals(codes, end - CAPITALS)) return end - CAPITALS;
  return areCapitals(codes, start) ? start : -1;
}

function areCapitals(codes: Uint16Array, from: number): boolean {
  let digits = 0;
  for (let i = from + CAPITALS - 1; i >= from; i--) {
    const traits = TRAITS[codes[i]!]!;
    if ((traits & DIGIT) !== 0) digits++;
    else if ((traits & UPPER) === 0) return false;
  }
  if (digits < LEAST_DIGITS || digits === CAPITALS || isAlphanumeric(codes[from + CAPITALS]!)) return false;
  // The letter of an escaped line end is no part of it.
  return !isAlphanumeric(codes[from - 1]!) || codes[from - 2] === BACKSLASH;
}

const isAlphanumeric = (code: number): boolean => ((TRAITS[code] ?? 0) & (DIGIT | LETTER)) !== 0;
const BACKSLASH = 92;
