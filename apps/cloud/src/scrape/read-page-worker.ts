import type { FetchedPage } from './fetch-page.ts';
import { PageError, type PageErrorReason } from './page-error.ts';
import { type ExtractedPage, readPage } from './read-page.ts';

export type ReadJob = Omit<FetchedPage, 'url' | 'bytes'> & { readonly asText: boolean };
/** Errors lose their class when sent between threads. */
export type ReadResult = { readonly reading: ExtractedPage } | { readonly error: PageErrorReason };

export function readInWorker({ asText, ...page }: ReadJob): ReadResult {
  try {
    return { reading: readPage(page, asText) };
  } catch (error) {
    if (error instanceof PageError) return { error: error.reason };
    throw error;
  }
}
