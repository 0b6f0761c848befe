import { areTextMarks, type EncodedFile, type ExtractedBody, type UnreadPart } from '@csg/shared/providers';
import { type TextSlot, withSlots } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { FileText, Unread } from '../files/file-text.ts';

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
  const rawTexts = new Map(extracted.slots.map(({ path, text }) => [path, text]));
  const slots: TextSlot[] = [];
  const unscanned: UnreadPart[] = [];
  for (const file of extracted.files) {
    const { texts, unread } = extractedOf.get(file.base64)!;
    slots.push(...slotsOf(file, withoutRaw(file, texts, rawTexts)));
    if (file.notice !== null)
      unscanned.push(...unread.map((part) => unscannedPart(file, file.notice!, part)));
  }
  const notices = new Set(extracted.files.map(({ notice }) => notice));
  return {
    ...extracted,
    ...withSlots(extracted, slots),
    unscanned: [...extracted.unscanned.filter((one) => !notices.has(one)), ...unscanned],
  };
}

const isPdf = ({ marks }: EncodedFile): boolean => marks.length === 1 && marks[0] === 'pdf';

function slotsOf(file: EncodedFile, texts: readonly FileText[]): TextSlot[] {
  const counts = new Map<string, number>();
  return texts.map(({ part, text }) => {
    const number = counts.get(part) ?? 0;
    counts.set(part, number + 1);
    return {
      path: `${file.path}~${isPdf(file) ? 'pdf' : 'file'}/${part}/${number}`,
      role: 'document',
      text,
    };
  });
}

/** Leaves out the text of the file as it stands, which is evaluated, too, and can be masked. */
function withoutRaw(
  { path, marks }: EncodedFile,
  texts: readonly FileText[],
  rawTexts: ReadonlyMap<string, string>,
): readonly FileText[] {
  const raw = areTextMarks(marks) ? rawTexts.get(`${path}~data`) : undefined;
  return raw === undefined ? texts : texts.filter(({ text }) => text !== raw);
}

function unscannedPart(
  file: EncodedFile,
  { index }: UnreadPart,
  { reason, why, mayHold }: Unread,
): UnreadPart {
  const detail = `${file.path}: ${isPdf(file) ? 'a PDF' : 'a file'}; ${why}.`;
  return { index, reason, detail, path: file.path, mayHold };
}
