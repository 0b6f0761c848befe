/**
 * Module files: extracts the texts of files that are part of messages or fetched. Called by flows, on worker threads.
 * The content determines the type of a file, never its name; parts that are not read are reported with the reason.
 * Makes no decisions.
 */
import { type FileMark, fileMarkIn, isMediaStart, TAIL_BYTES, textIn } from '@csg/shared/providers';
import { type FilePiece, type ReadNested, unread, visible } from './file-text.ts';
import { readPdf } from './read-pdf.ts';
import { readZip } from './read-zip.ts';
import { type Allowance, MAX_CHARACTERS, MAX_DEPTH, newAllowance } from './reading-limits.ts';
import { gunzip, INCOMPLETE_DATA } from './unpack.ts';

/** PDF readers look for the signature in this many bytes. */
const HEAD_BYTES = 1_024;
/** At most four bytes per character. */
const MAX_TEXT_BYTES = MAX_CHARACTERS * 4;

/** Yields the texts of one file by pieces, without the first `skip` ones, which were read before. Never throws. */
export async function* readFileFrom(bytes: Buffer, skip: number): AsyncGenerator<FilePiece> {
  const allowance = newAllowance();
  // PDF pages can be read independently.
  if (markOf(bytes) === 'pdf') {
    const readNested = (inner: Buffer) => readFile(inner, allowance, 1);
    return yield* readPdf(bytes, { allowance, readNested, skip });
  }
  let left = skip;
  for await (const piece of readFile(bytes, allowance, 0)) if (left-- <= 0) yield piece;
}

/** Reads a file that may be nested in another one. */
export async function* readFile(
  bytes: Buffer,
  allowance: Allowance,
  depth: number,
): AsyncGenerator<FilePiece> {
  const readNested: ReadNested | null =
    depth < MAX_DEPTH ? (inner) => readFile(inner, allowance, depth + 1) : null;
  switch (markOf(bytes)) {
    case 'pdf':
      yield* readPdf(bytes, { allowance, readNested, skip: 0 });
      break;
    case 'zip':
      yield* readNested === null ? [TOO_DEEP] : readZip(bytes, allowance, readNested);
      break;
    case 'gzip':
      yield* readNested === null ? [TOO_DEEP] : readGzip(bytes, allowance, readNested);
      break;
    case 'ole':
      yield readOle(bytes);
      break;
    case null:
      yield readPlain(bytes);
  }
}

const markOf = (bytes: Buffer): FileMark | null =>
  fileMarkIn(latin1(bytes, 0, HEAD_BYTES), latin1(bytes, bytes.length - TAIL_BYTES));

/** Name of the stream with an encrypted document, as in the file's directory. */
const LOCKED = Buffer.from('EncryptedPackage', 'utf16le');

/** Handles Office files from before 2007, and current ones that are protected by a password. */
function readOle(bytes: Buffer): FilePiece {
  return bytes.includes(LOCKED)
    ? unread('encrypted', 'it requires a password')
    : unread('unsupported_type', 'Office file formats before 2007 are not supported');
}

const TOO_DEEP = unread('too_large', 'its archives are nested too deeply');

async function* readGzip(
  bytes: Buffer,
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  const { bytes: content, cut } = await gunzip(bytes, allowance);
  if (content.length > 0) yield* readNested(content);
  if (cut !== null) yield INCOMPLETE_DATA[cut];
}

function readPlain(bytes: Buffer): FilePiece {
  if (bytes.length === 0) return { texts: [] };
  const text = textIn(latin1(bytes, 0, MAX_TEXT_BYTES));
  if (text !== null) return visible(text);
  return isMediaStart(latin1(bytes, 0, 16))
    ? unread('unsupported_type', 'pictures or recordings', 'media')
    : unread('unsupported_type', 'it is neither text nor a supported file type');
}

/** Decodes each byte as one character. */
const latin1 = (bytes: Buffer, from: number, to?: number): string =>
  bytes.toString('latin1', Math.max(0, from), to);
