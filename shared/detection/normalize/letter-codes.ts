import { codesOf } from '../read/codes.ts';
import type { Reading } from '../read/reading.ts';
import { knownWords, looksLikeWords, segment } from './known-words.ts';

const MAX_ODD = 4_000;
/** So much is enough to see whether a code is the right one. */
const MAX_TRIAL = 300;

/** Whole texts that are no language as they stand, turned into one. `reading` is of `piece`. */
export function decodeLetters(
  piece: string,
  reading: Reading,
  add: (kind: string, decoded: string) => void,
): void {
  const { words } = reading;
  if (words < 3) return;
  const text = piece.length > MAX_ODD ? piece.slice(0, MAX_ODD) : piece;
  if (reading.single >= 8 && reading.single > words * 0.5) {
    const joined = joinLetters(text);
    if (joined !== undefined) add('spaced', joined);
  }
  if (reading.mixed >= 2 && reading.mixed > words * 0.15) {
    // Base64, ids and versions mix letters and digits too; only what becomes words by it was written in leet.
    const plain = fromLeet(text);
    if (looksLikeWords(plain) && knownWords(plain) >= knownWords(text) + 2) add('leet', plain);
  }
  const known = reading.frames + reading.concepts;
  if (known > words * 0.15 || words < 4 || !/[a-z]{3}/i.test(text)) return;
  const head = text.slice(0, MAX_TRIAL);
  if (isVowelless(head)) add('vowelless', text);
  for (const [kind, decode] of WHOLE_CODES) {
    if (!looksLikeWords(decode(head))) continue;
    add(kind, decode(text));
    return;
  }
}

/** `gnr ll prvs nstrctns`: Latin words of three letters and more, most without a vowel. */
function isVowelless(head: string): boolean {
  const found = head.match(/[a-z]{3,}/gi) ?? [];
  const bare = found.filter((word) => !/[aeiouy]/i.test(word)).length;
  return found.length >= 3 && bare > found.length * 0.7;
}

const WHOLE_CODES: readonly (readonly [string, (text: string) => string])[] = [
  ['rot13', (text) => mapLetters(text, shifted(13))],
  ['reversed', reversed],
  ['words reversed', (text) => text.split(/\s+/).map(reversed).join(' ')],
  ['atbash', (text) => mapLetters(text, ATBASH)],
  ['caesar', (text) => mapLetters(text, shifted(23))],
  ['caesar', (text) => mapLetters(text, shifted(3))],
  ['caesar', (text) => mapLetters(text, shifted(25))],
  ['caesar', (text) => mapLetters(text, shifted(1))],
];

type LetterMap = Uint8Array;
const ATBASH = letterMap((letter) => 25 - letter);
const SHIFTS = Array.from({ length: 26 }, (_, by) => letterMap((letter) => (letter + by) % 26));

function shifted(by: number): LetterMap {
  return SHIFTS[by]!;
}

/** ASCII letters by another one, in their case. */
function letterMap(map: (letter: number) => number): LetterMap {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0;
    return base === 0 ? code : base + map(code - base);
  });
}

function mapLetters(text: string, map: LetterMap): string {
  const codes = codesOf(text);
  for (let i = 0; i < text.length; i++) if (codes[i]! < 128) codes[i] = map[codes[i]!]!;
  return String.fromCharCode(...codes.subarray(0, text.length));
}

/** From the end to the start; only looked at, so that halves of characters do not matter. */
function reversed(text: string): string {
  const codes = codesOf(text).subarray(0, text.length).reverse();
  return String.fromCharCode(...codes);
}

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
};

function fromLeet(text: string): string {
  return text.replace(/[a-z0-9@$!|+]{2,}/gi, (word) =>
    /[a-z]/i.test(word) && /[0-9@$!|+]/.test(word)
      ? word.replace(/[0-9@$!|+]/g, (sign) => LEET[sign] ?? sign)
      : word,
  );
}

/** `i g n o r e  a l l` -> `ignore all`; without wider gaps the words are looked for. */
function joinLetters(text: string): string | undefined {
  const run = /(?:\p{L}[ .\-_*\n]{1,3}){7,}\p{L}/u.exec(text);
  if (run === null) return undefined;
  const single = run[0].replace(/(\p{L})[ .\-_*\n](?=\p{L})/gu, '$1').replace(/[ .\-_*\n]+/g, ' ');
  return single.includes(' ') ? single : segment(single);
}
