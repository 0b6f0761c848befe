import { Piscina } from 'piscina';
import type { FetchedPage } from './fetch-page.ts';
import { PageFault, type PageFaultReason } from './page-fault.ts';
import { type PageReading, readPage } from './read-page.ts';
import { type ReadJob, type ReadResult, readPdfBytes } from './read-page-worker.ts';
import type { PdfReading } from './read-pdf.ts';

export interface PageReader {
  /** Rejects with PageFault: `too_deep`, those of a PDF, or `timeout` where the page is not read in time. */
  read(page: FetchedPage, asText: boolean): Promise<PageReading>;
  /** Rejects with PageFault: `encrypted`, `pdf`, `too_large`, or `timeout` where `signal` is aborted first. */
  readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfReading>;
  close(): Promise<void>;
}

/** Above this many characters a page is read away from the event loop; a PDF always is. */
const INLINE_CHARACTERS = 100_000;
const DEADLINE_MS = 15_000;
const MAX_HEAP_MB = 1_024;

export function createPageReader(options: { readonly workers: number }): PageReader {
  let pool: Piscina | undefined;

  async function inWorker<R>(name: string, job: unknown, signal: AbortSignal): Promise<R> {
    pool ??= new Piscina({
      filename: new URL('./read-page-worker.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: options.workers,
      idleTimeout: 60_000,
      maxQueue: 1_000,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    let result: ReadResult<R>;
    try {
      result = (await pool.run(job, { name, signal })) as ReadResult<R>;
    } catch (cause) {
      throw new PageFault('timeout', { cause });
    }
    if ('fault' in result) throw new PageFault(result.fault satisfies PageFaultReason);
    return result.reading;
  }

  const readPdf: PageReader['readPdf'] = (bytes, signal) =>
    options.workers === 0 ? readPdfBytes(bytes) : inWorker('readPdfInWorker', bytes, signal);

  return {
    async read(page, asText) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      if (page.type === 'pdf') return await readPdf(page.bytes ?? new Uint8Array(), signal);
      if (page.text.length <= INLINE_CHARACTERS || options.workers === 0) return readPage(page, asText);
      const { url: _url, ...rest } = page;
      return await inWorker('readInWorker', { ...rest, asText } satisfies ReadJob, signal);
    },
    readPdf,
    async close() {
      await pool?.destroy();
    },
  };
}
