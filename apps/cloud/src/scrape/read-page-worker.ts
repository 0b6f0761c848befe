import type { FetchedPage } from './fetch-page.ts';
import { PageFault, type PageFaultReason } from './page-fault.ts';
import { type PageReading, readPage } from './read-page.ts';

export type ReadJob = Omit<FetchedPage, 'url' | 'bytes'> & { readonly asText: boolean };
/** Errors lose their class on the way between threads. */
export type ReadResult = { readonly reading: PageReading } | { readonly fault: PageFaultReason };

export function readInWorker({ asText, ...page }: ReadJob): ReadResult {
  try {
    return { reading: readPage(page, asText) };
  } catch (error) {
    if (error instanceof PageFault) return { fault: error.reason };
    throw error;
  }
}
