import { createFileReader, type FileReader } from '../files/file-reader.ts';
import type { PageSource } from '../flows/scrape-page.ts';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import { createPageFetcher } from '../scrape/fetch-page.ts';
import { createPageReader } from '../scrape/page-reader.ts';
import { findBrowser } from '../scrape/render/find-browser.ts';
import { createPageRenderer, type PageRenderer } from '../scrape/render/render-page.ts';
import type { Opening } from './opening.ts';

export interface Readers {
  readonly pages: PageSource;
  readonly files: FileReader;
}

/** Opens the readers of pages and files. While a page is fetched, its request is not counted as in flight. */
export function openReaders(opening: Opening, work: InFlightLimiter): Readers {
  const { config, closing } = opening;
  const fetcher = createPageFetcher({ allowPrivate: config.scrapeAllowPrivate });
  const renderer = openRenderer(opening);
  const reader = createPageReader({ workers: config.scanWorkers });
  closing.defer(() => reader.close());
  // Never on the main thread, because a file may take any amount of time.
  const files = createFileReader({ threads: Math.max(1, config.scanWorkers), workMs: config.fileReadMs });
  closing.defer(() => files.close());
  const pages: PageSource = {
    ...reader,
    fetch: (url, timeoutMs) => work.releaseWhile(() => fetcher.fetch(url, timeoutMs)),
    render: renderer && ((url, timeoutMs) => work.releaseWhile(() => renderer.render(url, timeoutMs))),
  };
  return { pages, files };
}

function openRenderer({ config, closing }: Opening): PageRenderer | null {
  const browserPath = findBrowser(config.chromiumPath, config.searchPath);
  if (browserPath === null) return null;
  const renderer = createPageRenderer(browserPath, { allowPrivate: config.scrapeAllowPrivate });
  closing.defer(() => renderer.close());
  return renderer;
}
