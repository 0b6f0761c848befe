import { finish, type Steps } from '../../text/index.ts';
import type { DecodedText } from './byte-text.ts';

/**
 * The formats of files that are recognized by what they contain. A file can carry the marks of several formats:
 * applications open it by the mark that they look for, wherever it is.
 */
export type FileMark = 'pdf' | 'zip' | 'gzip' | 'ole' | 'packed' | 'rtf' | 'email' | 'notebook' | 'charset';

/** The content of a file. */
export interface FileBytes {
  /** One character for each of the first bytes. */
  start(length: number): string;
  /** One character for each of the last bytes. */
  end(length: number): string;
  /** Whether it contains `ascii` anywhere. */
  includes(ascii: string): boolean;
  /** The content as text; null if it is not text. */
  text(): DecodedText | null;
}

interface FileFormat {
  readonly mark: FileMark;
  /** What the file is: completes "messages.0: …; its text is not extracted.". */
  readonly name: string;
  /** True for text that a reader of the format reads otherwise; it is read both ways. */
  readonly isText: boolean;
  isIn(bytes: FileBytes): boolean;
}

/** Most PDF readers search this many bytes for the signature; those that repair files search all. */
const PDF_HEAD_BYTES = 1_024;
/** The directory of a ZIP archive is at its end, before a comment of at most 65,535 bytes; some readers search all. */
const ZIP_TAIL_BYTES = 65_557;
const ZIP_START = 'PK\x03\x04';
const ZIP_DIRECTORY = 'PK\x01\x02';
const ZIP_END = 'PK\x05\x06';

/** bzip2, xz, zstd, 7z, RAR, lz4, lzip, compress, cabinet. */
const PACKED =
  /^(?:BZh[1-9](?:1AY&SY|\x17rE8P\x90)|\xfd7zXZ\x00|\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x04\x22\x4d\x18|LZIP\x01|\x1f\x9d|MSCF\x00{4})/;

/** Applications accept white space and a byte order mark before it, some any text. */
const RTF_START = /\{\s*\\rt/;
const RTF_HEAD_BYTES = 1_024;

/** A header field; in a mailbox the line before it. */
const EMAIL_START = /^(?:\xef\xbb\xbf)?(?:From [^\n]{1,200}\n)?[!-9;-~]{1,76}[ \t]*:/;
const EMAIL_HEAD_BYTES = 320;
/** What a reader of emails decodes: transfer encodings, character sets, encoded words and parameters. */
const EMAIL_ENCODED =
  /^content-transfer-encoding[ \t]*:\s*(?!\s|(?:7bit|8bit|binary)\s*$)|\bcharset\s*=\s*(?!\s|"?(?:utf-?8|us-ascii|iso-8859-1|windows-1252)\b)|=\?[^?\s]+\?[bq]\?|;\s*[a-z-]+\*(?:\d+\*?)?=/im;

/** A list of strings, one of which does not end its line. Names of members may be escaped. */
const CUT_LINES = /(?<!\\n)"\s*,\s*"(?:[^"\\]|\\.)*"\s*[,\]]/s;
const CELLS = /"(?:cells|[^"]{0,30}\\u00[^"]{0,30})"\s*:\s*\[/;

/** Four bytes in a row that are neither ASCII nor UTF-8 do not occur in Latin scripts; escapes of ISO 2022. */
const FOREIGN_BYTES = /[\x80-\xff]{4}|\x1b\$[()*+\-./@AB]/;
const FOREIGN_UTF8 = /\ufffd{4}|\x1b\$[()*+\-./@AB]/;

/** Shorter words, such as ids, may be base64 of anything. */
const MIN_FOREIGN_CHARACTERS = 12;

export const FILE_FORMATS: readonly FileFormat[] = [
  {
    mark: 'pdf',
    name: 'a PDF',
    isText: false,
    // An archive may contain a PDF that is not compressed; it is read as part of the archive.
    isIn: (bytes) =>
      bytes.start(PDF_HEAD_BYTES).includes('%PDF-') ||
      (bytes.includes('startxref') && bytes.includes('%PDF-') && !isZip(bytes)),
  },
  { mark: 'zip', name: 'an Office file or archive', isText: false, isIn: isZip },
  { mark: 'gzip', name: 'a compressed file', isText: false, isIn: startsWith('\x1f\x8b') },
  {
    mark: 'ole',
    name: 'an Office file of before 2007, an Outlook message, or a locked Office file',
    isText: false,
    isIn: startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  {
    mark: 'packed',
    name: 'an archive or compressed file',
    isText: false,
    isIn: (bytes) => PACKED.test(bytes.start(16)),
  },
  {
    mark: 'rtf',
    name: 'an RTF document',
    isText: true,
    isIn: (bytes) => RTF_START.test(bytes.start(RTF_HEAD_BYTES).replaceAll('\x00', '')),
  },
  {
    mark: 'email',
    name: 'an email',
    isText: true,
    isIn: (bytes) =>
      EMAIL_START.test(bytes.start(EMAIL_HEAD_BYTES)) && EMAIL_ENCODED.test(bytes.text()?.text ?? ''),
  },
  {
    mark: 'notebook',
    name: 'a notebook with cut lines',
    isText: true,
    isIn: (bytes) => {
      const text = bytes.text()?.text ?? '';
      return /^\s*\{/.test(text) && CELLS.test(text) && CUT_LINES.test(text);
    },
  },
  {
    mark: 'charset',
    name: 'a text in another character set',
    isText: true,
    isIn: (bytes) => isForeign(bytes.text()),
  },
];

/** Whether the files of all these formats are also read as text. */
export const areTextMarks = (marks: readonly FileMark[]): boolean =>
  FILE_FORMATS.every(({ mark, isText }) => isText || !marks.includes(mark));

/** The marks that the content carries, in the order of the table. */
export function fileMarksIn(bytes: FileBytes): FileMark[] {
  return finish(fileMarksInSteps(bytes));
}

/** Does the same in steps. */
export function* fileMarksInSteps(bytes: FileBytes): Steps<FileMark[]> {
  const marks: FileMark[] = [];
  for (const { mark, isIn } of FILE_FORMATS) {
    // Each searches the whole content.
    yield;
    if (isIn(bytes)) marks.push(mark);
  }
  // Compressed bytes may look like letters.
  return areTextMarks(marks) ? marks : marks.filter((mark) => mark !== 'charset');
}

/** Whether these first bytes are the mark of a format that is not text. */
export function isBinaryStart(head: string): boolean {
  const bytes: FileBytes = {
    start: (length) => head.slice(0, length),
    end: () => '',
    includes: () => false,
    text: () => null,
  };
  return FILE_FORMATS.some(({ isText, isIn }) => !isText && isIn(bytes));
}

/** Whether some of the text is in a character set that was not decoded. */
function isForeign(decoded: DecodedText | null): boolean {
  if (decoded === null || decoded.text.length < MIN_FOREIGN_CHARACTERS) return false;
  const { encoding, text } = decoded;
  if (encoding === 'bytes') return FOREIGN_BYTES.test(text);
  return encoding === 'utf-8' && FOREIGN_UTF8.test(text);
}

function isZip(bytes: FileBytes): boolean {
  return (
    bytes.start(ZIP_START.length) === ZIP_START ||
    bytes.end(ZIP_TAIL_BYTES).includes(ZIP_END) ||
    (bytes.includes(ZIP_END) && bytes.includes(ZIP_DIRECTORY))
  );
}

function startsWith(mark: string): (bytes: FileBytes) => boolean {
  return (bytes) => bytes.start(mark.length) === mark;
}
