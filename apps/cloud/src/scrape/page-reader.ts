import { Piscina } from 'piscina';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createFairRunner } from '../fairness/fair-runner.ts';
import type { FetchedPage } from './fetch-page.ts';
import { PageError } from './page-error.ts';
import type { ExtractedPage } from './read-page.ts';
import type { ReadJob, ReadResult } from './read-page-worker.ts';

export interface PageReader {
  /**
   * Reads a page that is not a PDF. Rejects with PageError `too_deep`, or `timeout` if reading takes too long; with
   * service_unavailable if the owner's turn does not come in time. Organizations take turns.
   */
  read(owner: WorkOwner, page: FetchedPage, asText: boolean): Promise<ExtractedPage>;
  close(): Promise<void>;
}

/** Larger pages are read off the event loop. */
const INLINE_CHARACTERS = 100_000;
const DEADLINE_MS = 15_000;
const MAX_HEAP_MB = 1_024;

export function createPageReader(options: { readonly workers: number }): PageReader {
  let pool: Piscina | undefined;
  const turns = createFairRunner({ width: Math.max(1, options.workers) });

  /** The deadline starts with the work: waiting for other pages does not count. */
  async function inWorker(job: ReadJob): Promise<ExtractedPage> {
    pool ??= new Piscina({
      filename: new URL('./read-page-worker.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: options.workers,
      idleTimeout: 60_000,
      maxQueue: 1_000,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    let result: ReadResult;
    try {
      result = (await pool.run(job, {
        name: 'readInWorker',
        signal: AbortSignal.timeout(DEADLINE_MS),
      })) as ReadResult;
    } catch (cause) {
      throw new PageError('timeout', { cause });
    }
    if ('error' in result) throw new PageError(result.error);
    return result.reading;
  }

  return {
    async read(owner, page, asText) {
      if (page.text.length <= INLINE_CHARACTERS || options.workers === 0) {
        // Loaded with the first page: a service that reads no pages starts without the parsers.
        const { readPage } = await import('./read-page.ts');
        return readPage(page, asText);
      }
      const { url: _url, bytes: _bytes, ...rest } = page;
      return await turns.run(owner, page.text.length, () => inWorker({ ...rest, asText }));
    },
    async close() {
      await pool?.destroy();
    },
  };
}
