import {
  type ScrapeRequest,
  type ScrapeResponse,
  scrapeRequestSchema,
  scrapeResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type ScrapePageDeps, scrapePage } from '../flows/scrape-page.ts';
import { principalOf } from '../plugins/auth.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export function registerScrape(app: FastifyInstance, deps: ScrapePageDeps): void {
  app.post<{ Body: ScrapeRequest; Reply: ScrapeResponse }>(
    '/scrape',
    {
      config: needsScope('scrape'),
      schema: documented({
        tag: 'Scraping',
        summary: 'Fetch a page and scan it',
        description:
          'Fetches a page of the public web and scans what people see on it and what only models read. A blocked page is a 200 without content.',
        body: scrapeRequestSchema,
        answer: scrapeResponseSchema,
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
      request.verdict = done.judgement;
      return done.response;
    },
  );
}
