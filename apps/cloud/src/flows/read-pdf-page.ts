import type { UnscannedReason } from '@csg/shared/contract';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { FileReader } from '../files/file-reader.ts';
import { PageError, type PageErrorReason } from '../scrape/page-error.ts';
import { PageTexts } from '../scrape/page-texts.ts';
import type { ExtractedPage } from '../scrape/read-page.ts';

/**
 * Reads a PDF as a page. Rejects with PageError unless all pages with text were read: unread content is never returned
 * as safe.
 */
export async function readPdfPage(
  files: Pick<FileReader, 'read'>,
  bytes: Uint8Array,
  owner: WorkOwner,
): Promise<ExtractedPage> {
  const [extracted] = await files.read([Buffer.from(bytes)], owner);
  const { texts, unread } = extracted!;
  for (const { reason, mayHold } of unread) {
    if (mayHold === 'text' && reason !== 'no_text_extracted') throw new PageError(REASONS[reason] ?? 'pdf');
  }
  const page = new PageTexts();
  for (const { part, text } of texts) page.add(part, text);
  const content = texts.filter(({ part }) => part === 'visible').map(({ text }) => text);
  return { content: content.join('\n'), texts: page.all(), scripts: [], loads: [], forms: [] };
}

const REASONS: Readonly<Partial<Record<UnscannedReason, PageErrorReason>>> = {
  too_large: 'too_large',
  encrypted: 'encrypted',
};
