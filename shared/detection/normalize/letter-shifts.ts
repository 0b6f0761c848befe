import { codesOf, ownCodesOf, stringOf } from '../read/codes.ts';
import { looksLikeWords } from './known-words.ts';

/** So much is enough to see whether a code is the right one. */
const MAX_TRIAL = 300;
/** The likeliest turns of the alphabet that are tried. */
const TURNS = 3;
/** Other languages are a little more like English after one turn or another. */
const CLEARLY = 1.2;

/** A code that writes every letter as another one, or a text from its end. */
export interface LetterCode {
  readonly kind: string;
  readonly decode: (text: string) => string;
}

/** The code that turns a whole text into words; nothing where it is none, or no code at all. */
export function findLetterCode(text: string): LetterCode | undefined {
  const head = text.slice(0, MAX_TRIAL);
  if (!/[a-z]{3}/i.test(head)) return undefined;
  const turns = likelyTurns(head, 1);
  return firstThatReads(head, [...(turns.includes(ROT13) ? turns : [...turns, ROT13]), ...BACKWARDS]);
}

/** The same for a row of words within a text: only codes that its letters speak for, or reversed words in it. */
export function findRowCode(row: string, hasReversedWords: boolean): LetterCode | undefined {
  const head = row.slice(0, MAX_TRIAL);
  return firstThatReads(head, hasReversedWords ? BACKWARDS : likelyTurns(head, CLEARLY));
}

function firstThatReads(head: string, codes: readonly LetterCode[]): LetterCode | undefined {
  return codes.find((code) => looksLikeWords(code.decode(head)));
}

type LetterMap = Uint8Array;

/** ASCII letters by another one, in their case. */
function letterMap(map: (letter: number) => number): LetterMap {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0;
    return base === 0 ? code : base + map(code - base);
  });
}

function mapLetters(text: string, map: LetterMap): string {
  const codes = ownCodesOf(text);
  for (let i = 0; i < text.length; i++) if (codes[i]! < 128) codes[i] = map[codes[i]!]!;
  return stringOf(codes, text.length);
}

/** From the end to the start; only looked at, so that halves of characters do not matter. */
export function reversed(text: string): string {
  const codes = ownCodesOf(text).subarray(0, text.length).reverse();
  return stringOf(codes, text.length);
}

const TURNED: readonly LetterCode[] = [
  ...Array.from({ length: 26 }, (_, by) =>
    turned(by === 13 ? 'rot13' : 'caesar', (letter) => (letter + by) % 26),
  ),
  turned('atbash', (letter) => 25 - letter),
];
const ROT13 = TURNED[13]!;
/** Letters that are another one when the page is turned; those that are none were folded before. */
const TURNED_OVER: Readonly<Record<string, string>> = { n: 'u', u: 'n', p: 'd', d: 'p', b: 'q', q: 'b' };
const TURNED_MAP = letterMap((letter) => {
  const other = TURNED_OVER[String.fromCharCode(97 + letter)];
  return other === undefined ? letter : other.charCodeAt(0) - 97;
});
const BACKWARDS: readonly LetterCode[] = [
  { kind: 'reversed', decode: reversed },
  { kind: 'words reversed', decode: (text) => text.split(/\s+/).map(reversed).join(' ') },
  { kind: 'upside down', decode: (text) => reversed(mapLetters(text, TURNED_MAP)) },
];

function turned(kind: string, to: (letter: number) => number): LetterCode {
  const map = letterMap(to);
  return { kind, decode: (text) => mapLetters(text, map) };
}

/** How often English uses each letter, in thousandths. */
const FREQUENCY = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1,
];
const counts = new Uint16Array(26);

/** By code: what each letter would be worth if it were decoded. */
const WORTH = TURNED.map((code) =>
  Float64Array.from(
    { length: 26 },
    (_, letter) => FREQUENCY[code.decode(String.fromCharCode(97 + letter)).charCodeAt(0) - 97]!,
  ),
);

/** Codes after which the letters are more like English ones, by this factor at least, likeliest first. */
function likelyTurns(text: string, factor: number): LetterCode[] {
  counts.fill(0);
  const codes = codesOf(text);
  for (let i = 0; i < text.length; i++) {
    const letter = (codes[i]! | 32) - 97;
    if (letter >= 0 && letter < 26) counts[letter]!++;
  }
  const fits = WORTH.map((worth) => {
    let sum = 0;
    for (let letter = 0; letter < 26; letter++) sum += counts[letter]! * worth[letter]!;
    return sum;
  });
  const turns: LetterCode[] = [];
  const least = fits[0]! * factor;
  while (turns.length < TURNS) {
    let best = 0;
    for (let turn = 1; turn < fits.length; turn++)
      if (fits[turn]! > Math.max(least, fits[best]!)) best = turn;
    if (best === 0) break;
    turns.push(TURNED[best]!);
    fits[best] = 0;
  }
  return turns;
}
