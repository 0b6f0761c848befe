import { constants, inflateSync } from 'node:zlib';
import { type FilePiece, unread } from './file-text.ts';
import type { Allowance } from './reading-limits.ts';

/** `/ActualText`, of which each character may be written as a number. */
const NAME = new RegExp(
  `/${[...'ActualText'].map((sign) => `(?:${sign}|#${sign.charCodeAt(0).toString(16)})`).join('')}\\s*`,
  'gi',
);
const STREAM = /\bstream\r?\n/g;
/** Characters of a dictionary before its stream that say what it is. */
const DICTIONARY = 1_000;
const IMAGE = /\/Subtype\s*\/Image\b/;
const PARTIAL = { finishFlush: constants.Z_SYNC_FLUSH };

/** Shorter ones stand for ligatures and signs, which fonts show in their own way. */
const MIN_LETTERS = 4;

/**
 * Reads the texts that readers may show instead of marked parts of pages (`ActualText`), which pdf.js does not give.
 * Where they differ from what is shown, words may be made of both: that is reported. `mayBeElsewhere`: so are parts of
 * the file that are packed in an unusual way or encrypted.
 */
export function readReplacements(
  bytes: Buffer,
  shown: string,
  mayBeElsewhere: boolean,
  allowance: Allowance,
): FilePiece {
  const { texts, isPartial } = replacementsIn(bytes, allowance);
  const drawn = lettersOf(shown);
  const differs = (text: string): boolean => {
    const letters = lettersOf(text);
    return letters.length >= MIN_LETTERS && !drawn.includes(letters);
  };
  const isOther = texts.some((ofPart) => ofPart.some(differs));
  const read = texts.map((ofPart) => ofPart.join('')).filter((text) => !drawn.includes(lettersOf(text)));
  return {
    ...((isOther || (isPartial && mayBeElsewhere)) &&
      unread('undecodable', 'some readers show other texts in its place')),
    texts: read.map((text) => ({ part: 'attribute', text })),
  };
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

interface Replacements {
  /** For each part of the file the texts that replace marked text, in order. */
  readonly texts: readonly (readonly string[])[];
  /** Whether there are parts that could not be unpacked, or texts that stand elsewhere. */
  readonly isPartial: boolean;
}

/** Searches the file and its compressed streams. */
function replacementsIn(bytes: Buffer, allowance: Allowance): Replacements {
  const file = bytes.toString('latin1');
  const texts: string[][] = [];
  let isPartial = false;
  const search = (content: string): void => {
    const found: string[] = [];
    let searched = 0;
    for (const { index, 0: name } of content.matchAll(NAME)) {
      // What stands in a string is no name, and would be read again for each string around it.
      if (index < searched) continue;
      const { text = null, end = index } = stringAt(content, index + name.length) ?? {};
      if (text === null) isPartial = true;
      else found.push(text);
      searched = end;
      if (searched === content.length) break;
    }
    if (found.length > 0) texts.push(found);
  };
  search(file);
  for (const { index, 0: mark } of file.matchAll(STREAM)) {
    const head = dictionaryBefore(file, index);
    if (IMAGE.test(head) || !head.includes('/Filter')) continue;
    const content = unpacked(bytes.subarray(index + mark.length), allowance);
    if (content === null) isPartial = true;
    else search(content);
  }
  return { texts, isPartial };
}

function dictionaryBefore(file: string, end: number): string {
  const near = file.slice(Math.max(0, end - DICTIONARY), end);
  return near.slice(near.lastIndexOf(' obj') + 1);
}

/** Null if it is not compressed in the usual way, or too large. */
function unpacked(bytes: Buffer, allowance: Allowance): string | null {
  try {
    const content = inflateSync(bytes, { ...PARTIAL, maxOutputLength: Math.max(1, allowance.bytes) });
    allowance.bytes -= content.length;
    return content.toString('latin1');
  } catch {
    return null;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ESCAPE = /\\([0-7]{1,3}|\r?\n|.)/gs;

const HEX = /^<([\da-f\s]*)>/i;

interface PdfString {
  /** Null: it has no end. */
  readonly text: string | null;
  readonly end: number;
}

/** The string that begins at an offset; undefined if none does. */
function stringAt(content: string, start: number): PdfString | undefined {
  const [whole = '', hex = ''] = HEX.exec(content.slice(start)) ?? [];
  if (whole !== '')
    return { text: decoded(Buffer.from(hex.replace(/\s/g, ''), 'hex')), end: start + whole.length };
  if (content[start] !== '(') return undefined;
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const sign = content[at];
    if (sign === '\\') at++;
    else if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) {
      const written = content.slice(start + 1, at).replace(ESCAPE, (_, escaped: string) => {
        if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 255);
        return escaped.endsWith('\n') ? '' : (ESCAPES[escaped] ?? escaped);
      });
      return { text: decoded(Buffer.from(written, 'latin1')), end: at + 1 };
    }
  }
  return { text: null, end: content.length };
}

function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return bytes.toString('utf8', 3);
  return bytes.toString('latin1');
}
