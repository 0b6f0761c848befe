import { TEXT } from '../operating-points/texts.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';
import { unescapeRegions } from './escapes.ts';
import { type AddDecoded, decodeLetters } from './letter-codes.ts';
import { decodeOddRows } from './odd-rows.ts';
import type { OffsetMap } from './offset-map.ts';
import { fromMorse, numberCodes } from './sign-codes.ts';
import { decodeSplitWords } from './split-words.ts';
import { codeLines, codeRun, fromBase64, fromHex, MIN_BASE64 } from './transport-codes.ts';

/** A part of a text that encodes other text. */
export interface Decoded {
  readonly kind: string;
  readonly text: string;
  /** Range of the encoded text. */
  readonly start: number;
  readonly end: number;
  /** Maps `text` to the encoded text, from `start` on. */
  readonly map?: OffsetMap;
}

export const MAX_DECODE_DEPTH = 3;
const MAX_PIECES = 12;
const MAX_DECODED = 8_192;

/** Codes that a person chooses: an encoded instruction is worse than the same one in plain text. */
export const DISGUISES: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'codes',
  'morse',
  'rot13',
  'reversed',
  'words reversed',
  'upside down',
  'atbash',
  'caesar',
  'spaced',
  'leet',
  'vowelless',
]);

/** Letter codes that foreign words, formulas and tables match by chance. */
export const CHANCE_CODES: ReadonlySet<string> = new Set([
  'rot13',
  'reversed',
  'upside down',
  'atbash',
  'caesar',
  'leet',
  'vowelless',
  'split',
  'unspaced',
]);

/**
 * Decodes encoded parts: base64, hex, percent codes, entities, escapes, binary, Morse, whole unusual texts in rot13,
 * reversed, upside down, with digits for letters, with spaces between letters or without vowels, and words that are
 * split or joined. `reading` is of `text[from, to)`. Limited in pieces and characters; a caller that decodes again must
 * limit the depth.
 */
export function decodePieces(
  text: string,
  from: number,
  to: number,
  reading: TokenizedText,
  workspace: Workspace,
): Decoded[] {
  const pieces: Decoded[] = [];
  const add: AddDecoded = (kind, decoded, start, end) => {
    if (decoded === undefined || decoded.length < 8 || pieces.length >= MAX_PIECES) return;
    pieces.push({ kind, text: decoded.slice(0, MAX_DECODED), start, end });
  };
  let until = from;
  for (let i = 0; i < reading.longWords; i++) {
    const at = reading.longWordStart[i]!;
    if (at < until) continue;
    const [start, lineEnd] = codeRun(text, at, from, to);
    until = lineEnd;
    if (lineEnd - start < MIN_BASE64) continue;
    const end = codeLines(text, start, lineEnd, to);
    until = end;
    const lines = text.slice(start, Math.min(end, start + MAX_DECODED * 2));
    const run = end === lineEnd ? lines : lines.replace(/\s+/g, '');
    add('hex', fromHex(run), start, end);
    add('base64', fromBase64(run), start, end);
  }
  const piece = from === 0 && to === text.length ? text : text.slice(from, to);
  for (const { kind, text: plain, start, end, map } of unescapeRegions(piece, MAX_PIECES - pieces.length))
    pieces.push({ kind, text: plain, start: from + start, end: from + end, map });
  const codes = reading.numbers + reading.mixed;
  if (codes >= 6 && codes > reading.words * TEXT.numberCodes)
    add('codes', numberCodes(piece, workspace), from, to);
  if (piece.includes('.-') || piece.includes('-.')) add('morse', fromMorse(piece), from, to);
  decodeLetters(text, from, to, reading, workspace, add);
  decodeSplitWords(text, from, to, reading, workspace, add);
  decodeOddRows(text, to, reading, workspace, add);
  return pieces;
}
