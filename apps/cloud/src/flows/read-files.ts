import type { UnscannedReason } from '@csg/shared/contract';
import type { BodyReading, UnreadPart } from '@csg/shared/dialects';
import type { TextSlot } from '@csg/shared/text';
import { PageFault, type PageFaultReason } from '../scrape/page-fault.ts';
import type { PageReader } from '../scrape/page-reader.ts';

export interface ReadFilesDeps {
  readonly pages: Pick<PageReader, 'readPdf'>;
}

/** For all files of a body together: each is read away from the event loop, and stopped when this is over. */
const DEADLINE_MS = 10_000;

interface FileReading {
  readonly texts: readonly Pick<TextSlot, 'path' | 'text'>[];
  /** What of it was not read; null where all of it was. */
  readonly unread: { readonly reason: UnscannedReason; readonly why: string } | null;
}

/**
 * The reading with the texts of its PDFs in it, as data that the model is only meant to read. What could not be read
 * stays listed as unscanned, with the reason. The same file twice is read once.
 */
export async function readFiles<R extends Pick<BodyReading, 'slots' | 'unscanned' | 'files'>>(
  deps: ReadFilesDeps,
  reading: R,
): Promise<R> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const known = new Map<string, Promise<FileReading>>();
  const read = (base64: string): Promise<FileReading> => {
    const pending = known.get(base64) ?? readFile(deps, base64, signal);
    known.set(base64, pending);
    return pending;
  };
  const readings = await Promise.all(reading.files.map(({ base64 }) => read(base64)));
  const slots: TextSlot[] = [...reading.slots];
  const unscanned: UnreadPart[] = [];
  for (const [i, { path, notice }] of reading.files.entries()) {
    const { texts, unread } = readings[i]!;
    for (const { path: place, text } of texts)
      slots.push({ path: `${path}~pdf${place}`, role: 'document', text });
    if (unread === null) continue;
    const { reason, why } = unread;
    // A page without text is a picture; a PDF of nothing else may be a scanned document.
    const mayHold = reason === 'no_text_extracted' && texts.length > 0 ? 'media' : 'text';
    unscanned.push({ index: notice.index, reason, detail: `${path}: a PDF; ${why}.`, path, mayHold });
  }
  const notices = new Set(reading.files.map(({ notice }) => notice));
  return {
    ...reading,
    slots,
    unscanned: [...reading.unscanned.filter((one) => !notices.has(one)), ...unscanned],
  };
}

async function readFile(deps: ReadFilesDeps, base64: string, signal: AbortSignal): Promise<FileReading> {
  try {
    const { texts, pagesWithoutText } = await deps.pages.readPdf(Buffer.from(base64, 'base64'), signal);
    if (pagesWithoutText === 0) return { texts, unread: null };
    return { texts, unread: { reason: 'no_text_extracted', why: `${pagesWithoutText} pages hold no text` } };
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return { texts: [], unread: UNREAD[error.reason] ?? BROKEN };
  }
}

const BROKEN = { reason: 'undecodable', why: 'it is broken' } as const;
const UNREAD: Readonly<Partial<Record<PageFaultReason, FileReading['unread']>>> = {
  too_large: { reason: 'too_large', why: 'it has more pages or text than are read' },
  timeout: { reason: 'too_large', why: 'reading it takes too long' },
  encrypted: { reason: 'encrypted', why: 'it opens with a password only' },
};
