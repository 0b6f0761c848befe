import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import { type OpenedZip, openZip, type ZipEntry } from './open-zip.ts';
import { isOffice, readOffice } from './read-office.ts';
import { NOT_TEXT } from './read-plain.ts';
import type { Allowance } from './reading-limits.ts';
import { INCOMPLETE_DATA } from './unpack.ts';

/**
 * Reads archives, including Office files: the name and content of every entry, and what is before and after the archive.
 * `readNested` reads the files in it.
 */
export async function* readZip(
  bytes: Buffer,
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  let zip: OpenedZip;
  try {
    zip = await openZip(bytes, allowance);
  } catch {
    yield unread('undecodable', 'it is damaged');
    return;
  }
  if (zip.isCut) yield unread('too_large', 'it contains more files than the limit');
  if (zip.isAmbiguous) yield unread('undecodable', 'it can be read in more than one way');
  if (zip.comment !== '') yield { texts: [{ part: 'meta', text: zip.comment }] };
  for (const data of zip.around) yield* readAround(data, readNested);
  if (isOffice(zip.entries)) yield* readOffice(zip.entries, allowance, readNested);
  else yield* readEntries(zip.entries, allowance, readNested);
}

/** Binary data around an archive is nothing that a reader shows, such as the program that extracts it. */
async function* readAround(data: Buffer, readNested: ReadNested): AsyncGenerator<FilePiece> {
  for await (const piece of readNested(data)) if (piece !== NOT_TEXT) yield piece;
}

async function* readEntries(
  entries: readonly ZipEntry[],
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  yield { texts: [{ part: 'attribute', text: entries.map(({ name }) => name).join('\n') }] };
  for (const entry of entries) {
    if (entry.isLocked) {
      yield unread('encrypted', 'files in it require a password');
      continue;
    }
    const { bytes: content, cut } = await entry.unpack(allowance);
    if (content.length > 0) yield* readNested(content);
    if (cut !== null) yield INCOMPLETE_DATA[cut];
  }
}
