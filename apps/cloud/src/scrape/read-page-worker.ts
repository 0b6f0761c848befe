import type { FetchedPage } from './fetch-page.ts';
import { PageFault, type PageFaultReason } from './page-fault.ts';
import { type PageReading, readPage } from './read-page.ts';
import type { PdfReading } from './read-pdf.ts';

export type ReadJob = Omit<FetchedPage, 'url'> & { readonly asText: boolean };
/** Errors lose their class on the way between threads. */
export type ReadResult<R> = { readonly reading: R } | { readonly fault: PageFaultReason };

export function readInWorker({ asText, ...page }: ReadJob): Promise<ReadResult<PageReading>> {
  return faultAsResult(async () => readPage(page, asText));
}

export function readPdfInWorker(bytes: Uint8Array): Promise<ReadResult<PdfReading>> {
  return faultAsResult(() => readPdfBytes(bytes));
}

/** Loaded for the first PDF: nothing else needs it. */
export async function readPdfBytes(bytes: Uint8Array): Promise<PdfReading> {
  const { readPdf } = await import('./read-pdf.ts');
  return await readPdf(bytes);
}

async function faultAsResult<R>(read: () => Promise<R>): Promise<ReadResult<R>> {
  try {
    return { reading: await read() };
  } catch (error) {
    if (error instanceof PageFault) return { fault: error.reason };
    throw error;
  }
}
