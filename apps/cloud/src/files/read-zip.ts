import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import { type OpenedZip, openZip } from './open-zip.ts';
import { isOffice, readOffice } from './read-office.ts';
import type { Allowance } from './reading-limits.ts';
import { INCOMPLETE_DATA } from './unpack.ts';

/** Reads archives, including Office files: the name and content of every entry. `readNested` reads the files in it. */
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
  const { entries, comment } = zip;
  if (zip.isCut) yield unread('too_large', 'it contains more files than the limit');
  if (zip.isAmbiguous) yield unread('undecodable', 'it can be read in more than one way');
  if (comment !== '') yield { texts: [{ part: 'meta', text: comment }] };
  if (isOffice(entries)) {
    yield* readOffice(entries, allowance, readNested);
    return;
  }
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
