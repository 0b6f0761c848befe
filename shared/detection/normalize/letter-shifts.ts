import { TEXT } from '../operating-points/texts.ts';
import { stringOf, type Text } from '../read/codes.ts';
import type { Workspace } from '../workspace.ts';
import { knownWords, looksLikeWords } from './known-words.ts';

/** The number of characters that suffice to test a code. */
const MAX_TRIAL = 300;
/** The number of the most likely alphabet shifts that are tested. */
const TURNS = 3;

/** A code that replaces every letter by another one, or reverses a text. */
export interface LetterCode {
  readonly kind: string;
  readonly decode: (text: string, workspace: Workspace) => string;
}

/** Finds the code that turns a whole text into words; undefined if there is none. */
export function findLetterCode(text: string, workspace: Workspace): LetterCode | undefined {
  const head = text.slice(0, MAX_TRIAL);
  if (!/[a-z]{3}/i.test(head)) return undefined;
  const turns = likelyTurns(head, 1, workspace);
  const codes = [...(turns.includes(ROT13) ? turns : [...turns, ROT13]), ...BACKWARDS];
  return bestThatReads(head, codes, workspace);
}

/**
 * Does the same for a row of words within a text: tests only codes that its letter frequencies suggest, or reversal if
 * it has reversed words.
 */
export function findRowCode(
  row: string,
  hasReversedWords: boolean,
  workspace: Workspace,
): LetterCode | undefined {
  const head = row.slice(0, MAX_TRIAL);
  return bestThatReads(
    head,
    hasReversedWords ? BACKWARDS : likelyTurns(head, TEXT.shiftGain, workspace),
    workspace,
  );
}

/** Returns the code that yields the most words: an upside-down text yields some even if it is only reversed. */
function bestThatReads(
  head: string,
  codes: readonly LetterCode[],
  workspace: Workspace,
): LetterCode | undefined {
  let best: LetterCode | undefined;
  let most = 0;
  for (const code of codes) {
    const text = code.decode(head, workspace);
    if (!looksLikeWords(text, workspace)) continue;
    const known = knownWords(text, workspace);
    if (known > most) [best, most] = [code, known];
  }
  return best;
}

type LetterMap = Uint8Array;

/** Maps ASCII letters to others, keeping their case. */
function letterMap(map: (letter: number) => number): LetterMap {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0;
    return base === 0 ? code : base + map(code - base);
  });
}

function mapLetters(text: string, map: LetterMap, workspace: Workspace): string {
  // borrowed codes may be overwritten
  return workspace.withText(text, ({ codes }) => {
    applyMap(codes, text.length, map);
    return stringOf(codes, text.length);
  });
}

function applyMap(codes: Uint16Array, length: number, map: LetterMap): void {
  for (let i = 0; i < length; i++) if (codes[i]! < 128) codes[i] = map[codes[i]!]!;
}

/** Reverses a text. The result is only analyzed, so split surrogate pairs do not matter. */
export function reversed(text: string, workspace: Workspace): string {
  return workspace.withText(text, ({ codes }) =>
    stringOf(codes.subarray(0, text.length).reverse(), text.length),
  );
}

interface Turned extends LetterCode {
  readonly map: LetterMap;
}

const TURNED: readonly Turned[] = [
  ...Array.from({ length: 26 }, (_, by) =>
    turned(by === 13 ? 'rot13' : 'caesar', (letter) => (letter + by) % 26),
  ),
  turned('atbash', (letter) => 25 - letter),
];
const ROT13 = TURNED[13]!;
/** Letters that become another ASCII letter upside down; the other upside-down characters were already folded. */
const TURNED_OVER: Readonly<Record<string, string>> = { n: 'u', u: 'n', p: 'd', d: 'p', b: 'q', q: 'b' };
const TURNED_MAP = letterMap((letter) => {
  const other = TURNED_OVER[String.fromCharCode(97 + letter)];
  return other === undefined ? letter : other.charCodeAt(0) - 97;
});
const BACKWARDS: readonly LetterCode[] = [
  { kind: 'reversed', decode: reversed },
  {
    kind: 'words reversed',
    decode: (text, workspace) =>
      text
        .split(/\s+/)
        .map((word) => reversed(word, workspace))
        .join(' '),
  },
  {
    kind: 'upside down',
    decode: (text, workspace) => reversed(mapLetters(text, TURNED_MAP, workspace), workspace),
  },
];

function turned(kind: string, to: (letter: number) => number): Turned {
  const map = letterMap(to);
  return { kind, map, decode: (text, workspace) => mapLetters(text, map, workspace) };
}

/** Frequency of each letter in English, in thousandths. */
const FREQUENCY = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1,
];

/** By code: the English frequency of each letter once it is decoded. */
const WORTH = TURNED.map(({ map }) =>
  Float64Array.from({ length: 26 }, (_, letter) => FREQUENCY[map[97 + letter]! - 97]!),
);

/** Counts each ASCII letter of a text. */
function countLetters({ string, codes }: Text): Uint16Array {
  const counts = new Uint16Array(26);
  const { length } = string;
  for (let i = 0; i < length; i++) {
    const letter = (codes[i]! | 32) - 97;
    if (letter >= 0 && letter < 26) counts[letter]!++;
  }
  return counts;
}

/** Returns the codes that make the letters more like English ones by at least this factor, the most likely first. */
function likelyTurns(text: string, factor: number, workspace: Workspace): LetterCode[] {
  const counts = workspace.withText(text, countLetters);
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
