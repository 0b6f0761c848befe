import { FUNCTION_WORDS } from '../lexicon/function-words.ts';
import { hashWord, wholeWords } from '../lexicon/tables.ts';
import { TEXT } from '../operating-points/texts.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';
import { knownWords, looksLikeWords, segment } from './known-words.ts';
import { findLetterCode, findRowCode } from './letter-shifts.ts';

const MAX_ODD = 4_000;
/** This many unknown words in a row may be encoded text within a text; foreign languages have such rows, too. */
const MIN_ROW = 5;
const MAX_ROWS = 3;

export type AddDecoded = (kind: string, decoded: string | undefined, start: number, end: number) => void;

/** Decodes texts, or rows of words in them, that are not a language as written. `reading` is of `text[from, to)`. */
export function decodeLetters(
  text: string,
  from: number,
  to: number,
  reading: TokenizedText,
  workspace: Workspace,
  add: AddDecoded,
): void {
  const { words } = reading;
  if (words < 3) return;
  const piece = text.slice(from, Math.min(to, from + MAX_ODD));
  if (reading.single >= 8 && reading.single > words * TEXT.apartLetters)
    add('spaced', joinLetters(piece), from, to);
  if (reading.mixed >= 2 && reading.mixed > words * TEXT.mixedWords) {
    const plain = fromLeet(piece);
    if (becomesWords(piece, plain, workspace)) add('leet', plain, from, to);
  }
  if (words < 4) return;
  if (reading.frames + reading.concepts > words * TEXT.plainWords) {
    for (const row of unknownRows(reading, Math.min(to, from + MAX_ODD)))
      decodeRow(text, row, workspace, add);
    return;
  }
  if (isVowelless(piece.slice(0, MAX_VOWELLESS))) add('vowelless', piece, from, to);
  const code = findLetterCode(piece, workspace);
  if (code !== undefined) add(code.kind, code.decode(piece, workspace), from, to);
}

/** Base64, ids and versions also mix letters and digits, so a text is leet only if decoding turns it into words. */
function becomesWords(piece: string, plain: string, workspace: Workspace): boolean {
  return looksLikeWords(plain, workspace) && knownWords(plain, workspace) >= knownWords(piece, workspace) + 2;
}

interface Row {
  readonly start: number;
  readonly end: number;
  /** True if it contains reversed function words. */
  readonly backwards: boolean;
}

function decodeRow(
  text: string,
  { start, end, backwards }: Row,
  workspace: Workspace,
  add: AddDecoded,
): void {
  const row = text.slice(start, end);
  const code = findRowCode(row, backwards, workspace);
  if (code !== undefined) add(code.kind, code.decode(row, workspace), start, end);
}

/** Function words of three or more letters, reversed. */
const BACKWARDS = new Set(
  FUNCTION_WORDS.map((word) => [...word].reverse().join(''))
    .filter((word) => word.length > 2)
    .map(hashWord)
    .filter((hash) => wholeWords.get(hash) === 0),
);

/** Returns the first rows of unknown words. */
function unknownRows(reading: TokenizedText, to: number): Row[] {
  const { words, hash, concept, kind, start } = reading;
  const rows: Row[] = [];
  let first = 0;
  for (let word = 0; word <= words && rows.length < MAX_ROWS; word++) {
    const at = word < words ? start[word]! : to;
    const isUnknown =
      word < words && at < to && kind[word] === 0 && concept[word] === 0 && wholeWords.get(hash[word]!) === 0;
    if (isUnknown) continue;
    if (word - first >= MIN_ROW) {
      const backwards = hash.subarray(first, word).some((one) => BACKWARDS.has(one));
      rows.push({ start: start[first]!, end: at, backwards });
    }
    if (at >= to) break;
    first = word + 1;
  }
  return rows;
}

const MAX_VOWELLESS = 300;

/** `gnr ll prvs nstrctns`: Latin words of three or more letters, most without a vowel. Parts of hashes do not count. */
function isVowelless(head: string): boolean {
  const found = head.match(/(?<!\w)[a-z]{3,}(?!\w)/gi) ?? [];
  const bare = found.filter((word) => !/[aeiouy]/i.test(word)).length;
  return found.length >= 3 && bare > found.length * TEXT.bareWords;
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

/** `i g n o r e a l l` -> `ignore all`; without wider gaps known words determine the boundaries. */
export function joinLetters(text: string): string | undefined {
  const run = /(?:\p{L}[^\p{L}\p{N}]{1,6}){7,}\p{L}/u.exec(text)?.[0];
  if (run === undefined) return undefined;
  const gap = /^\p{L}\P{L}+?\p{L}(\P{L}+)/u.exec(run)?.[1] ?? '';
  const words = run.replace(/\P{L}+/gu, (between) => (between.length <= gap.length ? '' : ' '));
  return words.includes(' ') ? words : segment(words);
}
