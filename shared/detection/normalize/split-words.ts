import { TEXT } from '../operating-points/texts.ts';
import { matchAt } from '../read/match-at.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';
import { knownWords, looksLikeWords, segment } from './known-words.ts';
import type { AddDecoded } from './letter-codes.ts';

const MAX_ODD = 4_000;
/** The number of characters that suffice to test for words. */
const MAX_TRIAL = 300;
/** The minimum number of additional known words after joining. */
const GAIN = 3;

/** Marks, tags and line ends with a hyphen, between two letters. */
const INSIDE_WORDS =
  /(?<=\p{L})(?:[*_~]{1,3}|[`\\|'"’·^]|[-\u2010]\r?\n|-|(?:<[^<>]{1,60}>){1,4})(?=\p{L})/gu;
const LINE_ENDS = /(?<=\p{L})\r?\n(?=\p{L})/gu;
/** Marks that are rare between letters otherwise; searched in any text. */
const STRANGE = /\*{1,3}|~~|\\|·|[-\u2010]\r?\n|(?:<[^<>]{1,60}>){1,4}/y;
const HYPHEN = '\u2010';
const SIGNS = ['*', '~', '\\', '·', '-\n', HYPHEN, '-\r', '<'];
const MAX_PLACES = 200;
/** Positions at most this far apart form one region, which also includes this much around them. */
const REACH = 60;
const MIN_PLACES = 3;
const MAX_REGIONS = 4;
const WORD_ENDS = /(?<=[a-z])(?=[A-Z])/g;
const LETTERS_ONLY = /[A-Za-z]{20,400}/y;
const MAX_LONG = 4;

/**
 * Decodes words with something inserted (`ig**no**re`, `instruc-` at the end of a line, a tag, a space), words on a
 * line each, and words without separators. Extraction from pages and documents produces such text, too, so it is not
 * suspicious in itself: only its content counts. `reading` is of `text[from, to)`.
 */
export function decodeSplitWords(
  text: string,
  from: number,
  to: number,
  reading: TokenizedText,
  workspace: Workspace,
  add: AddDecoded,
): void {
  const { words, units } = reading;
  for (let i = 0; i < Math.min(reading.longWords, MAX_LONG); i++)
    decodeUnspaced(text, reading.longWordStart[i]!, workspace, add);
  if (words < 4) return;
  const regions = strangeRegions(text, from, to);
  for (const [start, end] of regions) {
    const joined = text.slice(start, end).replace(INSIDE_WORDS, '');
    if (looksLikeWords(joined, workspace)) add('split', joined, start, end);
  }
  const isListed = units > words * TEXT.listed;
  const isOdd = regions.length === 0 && reading.frames + reading.concepts < words * TEXT.unusual;
  if (!isListed && !isOdd) return;
  const piece = text.slice(from, Math.min(to, from + MAX_ODD));
  if (isListed && piece.split('\n').length > words * TEXT.lineEnds)
    add('lines', piece.replace(/\s*\n\s*/g, ' '), from, to);
  if (isOdd) add('split', rejoined(piece, (words * piece.length) / (to - from), workspace), from, to);
}

/** Decodes words without separators. */
function decodeUnspaced(text: string, start: number, workspace: Workspace, add: AddDecoded): void {
  const run = matchAt(LETTERS_ONLY, text, start)?.[0];
  if (run === undefined) return;
  const apart = run.replace(WORD_ENDS, ' ');
  const spelled = apart.includes(' ') ? apart : segment(run);
  if (looksLikeWords(spelled, workspace)) add('unspaced', spelled, start, start + run.length);
}

/** Returns regions with words that are split by unusual signs. */
function strangeRegions(text: string, from: number, to: number): [number, number][] {
  const places = strangePlaces(text, from, to);
  const regions: [number, number][] = [];
  let first = 0;
  for (let i = 1; i <= places.length && regions.length < MAX_REGIONS; i++) {
    if (i < places.length && places[i]! - places[i - 1]! <= REACH) continue;
    if (i - first >= MIN_PLACES)
      regions.push([Math.max(from, places[first]! - REACH), Math.min(to, places[i - 1]! + REACH)]);
    first = i;
  }
  return regions;
}

/** Returns the positions of such signs, in order. */
function strangePlaces(text: string, from: number, to: number): number[] {
  const places: number[] = [];
  for (const sign of SIGNS) {
    for (let at = nextSign(text, sign, from); at >= 0 && at < to; at = nextSign(text, sign, at + 1)) {
      if (!isLetter(text.charCodeAt(at - 1))) continue;
      const strange = matchAt(STRANGE, text, at);
      if (strange === null || !isLetter(text.charCodeAt(at + strange[0].length))) continue;
      places.push(at);
      if (places.length >= MAX_PLACES) break;
    }
  }
  return places.sort((one, other) => one - other);
}

/**
 * Returns the position of the next sign. The Unicode hyphen (U+2010) is searched at line ends, because only there it is
 * unusual. Its code contains the byte of a space, so `indexOf` for it would stop at every space.
 */
function nextSign(text: string, sign: string, from: number): number {
  if (sign !== HYPHEN) return text.indexOf(sign, from);
  for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', end + 1)) {
    const at = text[end - 1] === '\r' ? end - 2 : end - 1;
    if (at >= from && text[at] === HYPHEN) return at;
  }
  return -1;
}

function isLetter(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || code >= 0xc0;
}

/** Returns the piece with its words rejoined; undefined if that yields no words. */
function rejoined(piece: string, words: number, workspace: Workspace): string | undefined {
  const head = piece.slice(0, MAX_TRIAL);
  const splits = (words * TEXT.splitWords * head.length) / piece.length;
  for (const between of [INSIDE_WORDS, LINE_ENDS]) {
    if (head.split(between).length < splits) continue;
    const joined = piece.replace(between, '');
    if (isBetter(joined, piece, workspace)) return joined;
  }
  if (!isChopped(piece, words)) return undefined;
  return isBetter(segment(head.replaceAll(' ', '')), head, workspace)
    ? segment(piece.replaceAll(' ', ''))
    : undefined;
}

function isBetter(joined: string, piece: string, workspace: Workspace): boolean {
  return (
    looksLikeWords(joined, workspace) && knownWords(joined, workspace) >= knownWords(piece, workspace) + GAIN
  );
}

/** True for plain Latin words that are shorter than those of a language. */
function isChopped(piece: string, words: number): boolean {
  return words >= 6 && piece.length < words * 5 && /^[\n\r -~]*$/.test(piece.slice(0, MAX_TRIAL));
}
