import { matchesAt } from '../read/match-at.ts';
import { type DecodedEscapes, decodeEscapes } from './decode-escapes.ts';

/** Only the surroundings of a code are decoded, so that a page with a link is not read twice. */
const BEFORE = 240;
const BEHIND = 240;
const MAX_REGION = 4_000;

/** A word of one case, as base64 has none. */
const WORD = `['"(]?(?:\\p{Lu}?\\p{Ll}+|\\p{Lu}+|[\\p{Lo}\\p{M}]+)(?:['’-]\\p{L}+)?[.,!?;:')"]{0,2}`;
/** A plus before a word, and another one close by. */
const PLUS = new RegExp(
  `(?<=[\\p{L}\\d.,!?;:'")])\\+${WORD}(?:(?=[+\\s])[^+\\n]{0,60}(?<!\\s))\\+${WORD}(?![\\p{L}\\d=/])`,
  'uy',
);

/**
 * The first sign of each kind, and the pattern that must match there: searching for one sign is much faster than for a
 * pattern. Only codes that words can be hidden by: letters, and what stands between words.
 */
const KINDS: readonly { readonly sign: string; readonly at: RegExp }[] = [
  { sign: '%', at: /%(?:25){0,4}(?:[2-7c-f][0-9a-f]|0[9ad]|u00)/iy },
  {
    sign: '&',
    at: /&(?:amp;){0,4}(?:#(?:0{0,9}\d{2}|x0{0,9}[0-9a-f]{2})|(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z\d]{1,30};|nbsp|shy)/iy,
  },
  {
    sign: '\\',
    at: /\\{1,8}(?:u\{?[0-9a-f]{2}|x[2-7c-f][0-9a-f]|(?!000)[0-3][0-7]{2}|40(?![\d ])|0{0,4}[2-7][0-9a-f] ?\\|[nrt ](?=[\p{L}\\"'])|\r?\n)|(?<=[a-z])\\[a-z][a-z]{0,20}\\[a-z]/iuy,
  },
  {
    sign: '=',
    at: /=(?:\r?\n(?=\p{L})|(?:20|0A)(?=[\p{L}=])|[2-7c-f][0-9a-f]=[2-9a-f][0-9a-f])|(?<=\p{L})=\r?\n|(?<=\p{L})=[67][0-9A-F](?=[\p{L} ]{0,40}=[2-7][0-9A-F])|=\?[\w-]{1,20}\?q\?/iuy,
  },
  { sign: '+', at: PLUS },
  { sign: '$', at: /\$\{?IFS/y },
  { sign: "''", at: /(?<=\p{L})''(?=\p{L})/uy },
  { sign: '""', at: /(?<=\p{L})""(?=\p{L})/uy },
];

/** A range with codes, and its text without them. */
export interface Unescaped extends DecodedEscapes {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns ranges of `text` that have more words once their percent codes, HTML entities, escapes or quoted-printable are
 * decoded, at most `most`.
 */
export function unescapeRegions(text: string, most: number): Unescaped[] {
  const regions: Unescaped[] = [];
  const places = KINDS.map(({ sign, at }) => nextPlace(text, sign, at, 0));
  for (let first = nearest(places); first < text.length && regions.length < most; first = nearest(places)) {
    const start = Math.max(0, first - BEFORE);
    const end = regionEnd(text, first, Math.min(text.length, start + MAX_REGION), places);
    const decoded = decodeEscapes(text.slice(start, end));
    if (decoded.kind !== '') regions.push({ ...decoded, start, end });
  }
  return regions;
}

/** Returns the end of the region that begins at `first`, and moves `places` behind it. Codes close by belong to it. */
function regionEnd(text: string, first: number, last: number, places: number[]): number {
  let end = first + 1;
  for (let place = first; place < Math.min(end, last); place = nearest(places)) {
    end = place + BEHIND;
    for (const [index, { sign, at }] of KINDS.entries())
      if (places[index]! <= place) places[index] = nextPlace(text, sign, at, place + 1);
  }
  return Math.min(end, last);
}

const nearest = (places: readonly number[]): number => Math.min(...places);

/** Returns the first offset from `from` on where `sign` occurs and `at` matches. */
function nextPlace(text: string, sign: string, at: RegExp, from: number): number {
  for (let place = text.indexOf(sign, from); place >= 0; place = text.indexOf(sign, place + 1)) {
    if (matchesAt(at, text, place)) return place;
  }
  return Number.POSITIVE_INFINITY;
}

/** Converts two hex digits to a byte. */
export function byteAt(text: string, at: number): number {
  return hexDigit(text.charCodeAt(at)) * 16 + hexDigit(text.charCodeAt(at + 1));
}

function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
}
