import type { FetchedPage } from './fetch-page.ts';
import { PageFault, type PageFaultReason } from './page-fault.ts';
import { type PageReading, readPage } from './read-page.ts';

export type ReadJob = Omit<FetchedPage, 'url'> & { readonly asText: boolean };
/** Errors lose their class on the way between threads. */
export type ReadResult = { readonly reading: PageReading } | { readonly fault: PageFaultReason };

export async function readInWorker({ asText, ...page }: ReadJob): Promise<ReadResult> {
  try {
    return { reading: await readFetched(page, asText) };
  } catch (error) {
    if (error instanceof PageFault) return { fault: error.reason };
    throw error;
  }
}

export async function readFetched(page: Omit<FetchedPage, 'url'>, asText: boolean): Promise<PageReading> {
  if (page.type !== 'pdf') return readPage(page, asText);
  // Loaded for the first PDF: nothing else needs it.
  const { readPdf } = await import('./read-pdf.ts');
  return await readPdf(page.bytes ?? new Uint8Array());
}
