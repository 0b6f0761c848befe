import type { BodyReading, UnreadPart } from '@csg/shared/providers';
import { type TextSlot, withSlots } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { FileReader } from '../files/file-reader.ts';

export interface ReadFilesDeps {
  readonly files: Pick<FileReader, 'read'>;
}

/**
 * The reading with the texts of its files in it, as data that the model is only meant to read. What could not be read
 * stays listed as unscanned, with the reason. The same file twice is read once. Rejects with service_unavailable where
 * too many others have files to be read.
 */
export async function readFiles<R extends Pick<BodyReading, 'messages' | 'slots' | 'unscanned' | 'files'>>(
  deps: ReadFilesDeps,
  owner: WorkOwner,
  reading: R,
): Promise<R> {
  if (reading.files.length === 0) return reading;
  const distinct = [...new Set(reading.files.map(({ base64 }) => base64))];
  const readings = await deps.files.read(
    distinct.map((base64) => Buffer.from(base64, 'base64')),
    owner,
  );
  const readingOf = new Map(distinct.map((base64, i) => [base64, readings[i]!]));
  const slots: TextSlot[] = [];
  const unscanned: UnreadPart[] = [];
  for (const { path, base64, mark, notice } of reading.files) {
    const { texts, unread } = readingOf.get(base64)!;
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
  const notices = new Set(reading.files.map(({ notice }) => notice));
  return {
    ...reading,
    ...withSlots(reading, slots),
    unscanned: [...reading.unscanned.filter((one) => !notices.has(one)), ...unscanned],
  };
}
