import { PageFault, type PageFaultReason } from './page-fault.ts';
import type { PageType } from './page-type.ts';
import { type PageReading, readPage } from './read-page.ts';

export interface ReadJob {
  readonly type: PageType;
  readonly text: string;
  readonly asText: boolean;
}
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
