/**
 * Module files: extracts the texts of files that are part of messages or fetched. Called by flows, on worker threads.
 * The content determines the formats of a file, never its name; parts that are not read are reported with the reason.
 * Makes no decisions.
 */
import {
  areTextMarks,
  type DecodedText,
  decodedTextIn,
  type FileMark,
  fileMarksIn,
} from '@csg/shared/providers';
import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import { readEmail } from './read-email.ts';
import { readGzip } from './read-gzip.ts';
import { readNotebook } from './read-notebook.ts';
import { readPdf } from './read-pdf.ts';
import { readForeignLines, readPlain } from './read-plain.ts';
import { readRtf } from './read-rtf.ts';
import { readZip } from './read-zip.ts';
import { type Allowance, MAX_CHARACTERS, MAX_DEPTH, newAllowance } from './reading-limits.ts';

/** At most four bytes per character. */
const MAX_TEXT_BYTES = MAX_CHARACTERS * 4;

interface MarkedFile {
  readonly bytes: Buffer;
  readonly decoded: DecodedText | null;
  readonly marks: readonly FileMark[];
}

interface OpenedFile extends MarkedFile {
  readonly allowance: Allowance;
  /** Reads the files in it; null at the maximum nesting depth. */
  readonly readNested: ReadNested | null;
}

type Pieces = AsyncIterable<FilePiece> | Iterable<FilePiece>;

/** The reader of each format; the marks of the formats are in shared/providers. */
const READERS: Readonly<Record<FileMark, (file: OpenedFile) => Pieces>> = {
  pdf: readPossiblePdf,
  zip: ({ bytes, allowance, readNested }) =>
    readNested === null ? [TOO_DEEP] : readZip(bytes, allowance, readNested),
  gzip: ({ bytes, allowance, readNested }) =>
    readNested === null ? [TOO_DEEP] : readGzip(bytes, allowance, readNested),
  ole: ({ bytes }) => [readOle(bytes)],
  packed: () => [unread('unsupported_type', 'archives and compressed files of its type are not supported')],
  rtf: ({ bytes, decoded, readNested }) => readRtf(narrow(bytes, decoded), readNested ?? NOT_NESTED),
  email: ({ bytes, allowance, readNested }) => readEmail(bytes, allowance, readNested ?? NOT_NESTED),
  notebook: ({ decoded }) => [readNotebook(decoded?.text ?? '')],
  charset: ({ bytes }) => [readForeignLines(bytes)],
};

/** A document of ASCII characters in two or four bytes each. */
const narrow = (bytes: Buffer, decoded: DecodedText | null): Buffer =>
  decoded?.encoding.startsWith('utf-16') || decoded?.encoding.startsWith('utf-32')
    ? Buffer.from(decoded.text, 'latin1')
    : bytes;

const TOO_DEEP = unread('too_large', 'its archives are nested too deeply');
const NOT_NESTED: ReadNested = async function* () {
  yield TOO_DEEP;
};

/** Yields the texts of one file by pieces, without the first `skip` ones, which were read before. Never throws. */
export async function* readFileFrom(bytes: Buffer, skip: number): AsyncGenerator<FilePiece> {
  const allowance = newAllowance();
  const marked = markFile(bytes);
  // PDF pages can be read independently.
  if (marked.marks.length === 1 && marked.marks[0] === 'pdf' && !mentionsPdf(marked)) {
    const readNested = (inner: Buffer) => readFile(inner, allowance, 1);
    return yield* readPdf(bytes, { allowance, readNested, skip });
  }
  let left = skip;
  for await (const piece of readMarked(marked, allowance, 0)) if (left-- <= 0) yield piece;
}

/** Reads a file that may be nested in another one, by every format whose mark it carries. */
export function readFile(bytes: Buffer, allowance: Allowance, depth: number): AsyncGenerator<FilePiece> {
  return readMarked(markFile(bytes), allowance, depth);
}

async function* readMarked(
  { bytes, decoded, marks }: MarkedFile,
  allowance: Allowance,
  depth: number,
): AsyncGenerator<FilePiece> {
  const readNested: ReadNested | null =
    depth < MAX_DEPTH ? (inner) => readFile(inner, allowance, depth + 1) : null;
  let hasText = false;
  const raw = areTextMarks(marks) ? comparable(decoded?.text ?? '') : '';
  for (const mark of marks)
    for await (const piece of READERS[mark]({ bytes, decoded, marks, allowance, readNested })) {
      hasText ||= piece.texts.length > 0;
      yield raw === '' ? piece : withoutRaw(piece, raw);
    }
  if (!areTextMarks(marks) && (hasText || decoded === null)) return;
  // Beside another reading, so that the two can be told apart.
  if (marks.length > 0 && decoded !== null) yield { texts: [{ part: 'text', text: decoded.text }] };
  else yield readPlain(bytes, decoded);
}

/** Leaves out what is part of the text as it stands, which is read, too. */
function withoutRaw(piece: FilePiece, raw: string): FilePiece {
  return { ...piece, texts: piece.texts.filter(({ text }) => !raw.includes(comparable(text))) };
}

/** Readers of emails and RTF change line breaks and the space around a text. */
const comparable = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function markFile(bytes: Buffer): MarkedFile {
  const decoded = decodedTextIn(bytes.toString('latin1', 0, MAX_TEXT_BYTES));
  const marks = fileMarksIn({
    start: (length) => bytes.toString('latin1', 0, length),
    end: (length) => bytes.toString('latin1', Math.max(0, bytes.length - length)),
    includes: (ascii) => bytes.includes(ascii, 0, 'latin1'),
    text: () => decoded,
  });
  return { bytes, decoded, marks };
}

/** Most readers of PDFs search this many bytes for its first line. */
const PDF_HEAD_BYTES = 1_024;

/** A text that has the marks of a PDF further on is not a damaged one. */
const mentionsPdf = ({ bytes, decoded }: MarkedFile): boolean =>
  decoded !== null && !bytes.subarray(0, PDF_HEAD_BYTES).includes('%PDF-');

async function* readPossiblePdf(file: OpenedFile): AsyncGenerator<FilePiece> {
  const isMentioned = mentionsPdf(file);
  for await (const piece of readPdf(file.bytes, { ...file, skip: 0 }))
    if (!isMentioned || piece.texts.length > 0) yield piece;
}

/** Name of the stream with an encrypted document, as in the file's directory. */
const LOCKED = Buffer.from('EncryptedPackage', 'utf16le');

/** Handles Office files from before 2007, Outlook messages, and current files that are protected by a password. */
function readOle(bytes: Buffer): FilePiece {
  return bytes.includes(LOCKED)
    ? unread('encrypted', 'it requires a password')
    : unread('unsupported_type', 'Office file formats before 2007 and Outlook messages are not supported');
}
