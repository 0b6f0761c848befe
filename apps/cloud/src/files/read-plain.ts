import { type DecodedText, isMediaStart } from '@csg/shared/providers';
import { analyse } from 'chardet';
import { type FilePiece, unread, visible } from './file-text.ts';

/** Reads text, or reports what else it is. */
export function readPlain(bytes: Buffer, decoded: DecodedText | null): FilePiece {
  if (bytes.length === 0) return { texts: [] };
  if (decoded !== null) return visible(decoded.text);
  return isMediaStart(bytes.toString('latin1', 0, 16))
    ? unread('unsupported_type', 'pictures or recordings', 'media')
    : NOT_TEXT;
}

export const NOT_TEXT = unread('unsupported_type', 'it is neither text nor a supported file type');

/** Character sets that are read anyway. */
const ALREADY_READ = /^(?:ASCII|UTF-(?:8|16)|ISO-8859-1$|windows-1252$)/;
/** Out of 100. */
const MIN_CONFIDENCE = 10;
const MAX_CANDIDATES = 3;
const MAX_ANALYSED_BYTES = 65_536;
const FOREIGN_LINE = /[\x80-\xff]{4}|\x1b\$/;
/** The space of EBCDIC is an @ in other character sets; every sixth character of a text is one. */
const MIN_EBCDIC_SPACES = 0.05;

/**
 * Reads the lines of a text that are in a legacy character set, in each character set that they may be in. What it
 * reads as ASCII and Latin letters is part of the text itself.
 */
export function readForeignLines(bytes: Buffer): FilePiece {
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => FOREIGN_LINE.test(line));
  const foreign = Buffer.from(lines.join('\n'), 'latin1');
  const sample = foreign.subarray(0, MAX_ANALYSED_BYTES);
  if (isEbcdic(sample)) return NOT_DECODED;
  const matches = analyse(sample).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
  // For example capitals with accents.
  if (matches.length > 0 && ALREADY_READ.test(matches[0]!.name)) return { texts: [] };
  const names = matches.map(({ name }) => name).filter((name) => !ALREADY_READ.test(name));
  const texts = names.slice(0, MAX_CANDIDATES).flatMap((name) => decodeAs(foreign, name) ?? []);
  return texts.length === 0 ? NOT_DECODED : { texts: texts.map((text) => ({ part: 'text' as const, text })) };
}

const NOT_DECODED = unread('undecodable', 'it is in a character set that is not supported');

function isEbcdic(bytes: Buffer): boolean {
  let spaces = 0;
  let ascii = 0;
  for (const byte of bytes) {
    if (byte === 0x40) spaces++;
    if (byte === 0x20) ascii++;
  }
  return spaces > bytes.length * MIN_EBCDIC_SPACES && ascii < spaces / 4;
}

/** Null if this is no name of a supported character set. */
export function decodeAs(bytes: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}
