import {
  idSchema,
  type ScrapeBatch,
  type ScrapeBatchStarted,
  type ScrapeBatchState,
  type ScrapeRequest,
  type ScrapeResponse,
  scrapeBatchSchema,
  scrapeBatchStartedSchema,
  scrapeBatchStateSchema,
  scrapeRequestSchema,
  scrapeResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type BatchDeps, readBatch, startBatch } from '../flows/scrape-batch/batch.ts';
import { type ScrapePageDeps, scrapePage } from '../flows/scrape-page.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export function registerScrape(app: FastifyInstance, deps: ScrapePageDeps & BatchDeps): void {
  app.post<{ Body: ScrapeRequest; Reply: ScrapeResponse }>(
    '/scrape',
    {
      config: needsScope('scrape'),
      schema: documented({
        tag: 'Scraping',
        id: 'scrapePage',
        summary: 'Fetch and scan a page',
        description:
          'Fetches a public web page and scans its visible text and the text that only models read. A blocked page is a 200 without content.',
        body: scrapeRequestSchema,
        response: scrapeResponseSchema,
        codes: [
          'address_refused',
          'page_unreachable',
          'page_timeout',
          'page_not_supported',
          'renderer_unavailable',
          'detection_unavailable',
        ],
      }),
    },
    async (request) => {
      const done = await scrapePage(deps, principalOf(request), request.body, request.id, request.ip);
      request.verdict = done.evaluation;
      return done.response;
    },
  );

  app.post<{ Body: ScrapeBatch; Reply: ScrapeBatchStarted }>(
    '/scrape/batch',
    {
      config: needsScope('scrape'),
      schema: documented({
        tag: 'Scraping',
        id: 'startScrapeBatch',
        summary: 'Fetch and scan up to 100 pages',
        description:
          'Returns immediately. The pages are fetched one after another, within 30 seconds each, and also after a restart.',
        body: scrapeBatchSchema,
        response: scrapeBatchStartedSchema,
        codes: ['rate_limit_exceeded'],
      }),
    },
    (request) => startBatch(withStoredResponse(deps, request), principalOf(request), request.body),
  );

  app.get<{ Params: { job_id: string }; Reply: ScrapeBatchState }>(
    '/scrape/batch/:job_id',
    {
      config: needsScope('scrape'),
      schema: documented({
        tag: 'Scraping',
        id: 'getScrapeBatch',
        summary: 'Get the progress and results of a batch',
        description: 'Includes the results so far. They are stored encrypted, for 24 hours.',
        params: Type.Object({ job_id: idSchema }),
        response: scrapeBatchStateSchema,
        codes: ['not_found'],
      }),
    },
    (request) => readBatch(deps, principalOf(request), request.params.job_id),
  );
}
