import type { ExtractedBody, UnreadPart } from '@csg/shared/providers';
import { type TextSlot, withSlots } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { FileReader } from '../files/file-reader.ts';

export interface ReadFilesDeps {
  readonly files: Pick<FileReader, 'read'>;
}

/**
 * Adds the texts of files to the extracted body, as data for the model to read. Parts that could not be read stay
 * listed as unscanned, with the reason. Identical files are read once. Rejects with service_unavailable if the queue of
 * files is full.
 */
export async function readFiles<R extends Pick<ExtractedBody, 'messages' | 'slots' | 'unscanned' | 'files'>>(
  deps: ReadFilesDeps,
  owner: WorkOwner,
  extracted: R,
): Promise<R> {
  if (extracted.files.length === 0) return extracted;
  const distinct = [...new Set(extracted.files.map(({ base64 }) => base64))];
  const extractedFiles = await deps.files.read(
    distinct.map((base64) => Buffer.from(base64, 'base64')),
    owner,
  );
  const extractedOf = new Map(distinct.map((base64, i) => [base64, extractedFiles[i]!]));
  const slots: TextSlot[] = [];
  const unscanned: UnreadPart[] = [];
  for (const { path, base64, mark, notice } of extracted.files) {
    const { texts, unread } = extractedOf.get(base64)!;
    const counts = new Map<string, number>();
    for (const { part, text } of texts) {
      const number = counts.get(part) ?? 0;
      counts.set(part, number + 1);
      slots.push({
        path: `${path}~${mark === 'pdf' ? 'pdf' : 'file'}/${part}/${number}`,
        role: 'document',
        text,
      });
    }
    if (notice === null) continue;
    for (const { reason, why, mayHold } of unread)
      unscanned.push({
        index: notice.index,
        reason,
        detail: `${path}: ${mark === 'pdf' ? 'a PDF' : 'a file'}; ${why}.`,
        path,
        mayHold,
      });
  }
  const notices = new Set(extracted.files.map(({ notice }) => notice));
  return {
    ...extracted,
    ...withSlots(extracted, slots),
    unscanned: [...extracted.unscanned.filter((one) => !notices.has(one)), ...unscanned],
  };
}
