import { type FilePiece, unread } from './file-text.ts';

/** The name of the stream that holds a locked document, as it stands in the folder of the file. */
const LOCKED = Buffer.from('EncryptedPackage', 'utf16le');

/** Office files of before 2007, and those of today that open with a password. */
export function readOle(bytes: Buffer): FilePiece {
  return bytes.includes(LOCKED)
    ? unread('encrypted', 'it opens with a password only')
    : unread('unsupported_type', 'Office files of before 2007 are not read');
}
