import Type, { type Static } from 'typebox';
import { choice, nullable, shape } from './fields.ts';

export const SCRAPE_THREATS = [
  'indirect_prompt_injection',
  'malicious_script',
  'hidden_content',
  'exfiltration_attempt',
] as const;
export type ScrapeThreat = (typeof SCRAPE_THREATS)[number];
export const scrapeThreatEnum = choice('ScrapeThreat', SCRAPE_THREATS);

export const DEFAULT_SCRAPE_TIMEOUT_S = 30;

export const scrapeRequestSchema = shape(
  'ScrapeRequest',
  {
    url: Type.String({ minLength: 1, maxLength: 4096, description: 'An http or https address.' }),
    render_js: Type.Optional(nullable(Type.Boolean(), { default: false })),
    extract_text: Type.Optional(
      nullable(Type.Boolean(), {
        default: true,
        description: 'True: the readable text. False: the HTML without scripts and hidden content.',
      }),
    ),
    timeout: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 120 }), {
        default: DEFAULT_SCRAPE_TIMEOUT_S,
        description: 'Time limit for the whole request, in seconds.',
      }),
    ),
    session_id: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 255 }), {
        description: "The agent's session. What it has read affects whether it may send data out.",
      }),
    ),
  },
  { examples: [{ url: 'https://example.com/', extract_text: true, timeout: 30 }] },
);
export type ScrapeRequest = Static<typeof scrapeRequestSchema>;

export const scrapeResponseSchema = shape('ScrapeResponse', {
  url: Type.String({ description: 'The address in the request.' }),
  status: Type.Enum(['safe', 'blocked'], {
    description: 'blocked: a threat was found, and content is empty.',
  }),
  content: Type.String({ description: 'Empty if the page is blocked.' }),
  threats_detected: Type.Array(scrapeThreatEnum, { description: 'Threats found in the page.' }),
  message: Type.String({ description: 'One sentence about the result.' }),
});
export type ScrapeResponse = Static<typeof scrapeResponseSchema>;

export const MAX_BATCH_URLS = 100;

export const scrapeBatchSchema = shape(
  'ScrapeBatchRequest',
  {
    urls: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      minItems: 1,
      maxItems: MAX_BATCH_URLS,
      description: 'http and https addresses.',
    }),
    render_js: scrapeRequestSchema.properties.render_js,
    extract_text: scrapeRequestSchema.properties.extract_text,
  },
  { examples: [{ urls: ['https://example.com/', 'https://example.org/'] }] },
);
export type ScrapeBatch = Static<typeof scrapeBatchSchema>;

export const scrapeBatchStartedSchema = shape('ScrapeBatchStarted', {
  job_id: Type.String({ description: 'For GET /scrape/batch/{job_id}.' }),
  status: Type.Enum(['processing']),
  urls_submitted: Type.Integer({ description: 'Number of addresses.' }),
});
export type ScrapeBatchStarted = Static<typeof scrapeBatchStartedSchema>;

/** A page of a batch: the response of `/scrape`, or why it failed. */
export const scrapeBatchResultSchema = shape('ScrapeBatchResult', {
  url: Type.String(),
  status: Type.Enum(['safe', 'blocked', 'error']),
  content: Type.String({ description: 'Empty if the page is blocked or could not be read.' }),
  threats_detected: Type.Array(scrapeThreatEnum, { description: 'Threats found in the page.' }),
  message: Type.String({ description: 'One sentence about the result.' }),
  code: Type.Optional(Type.String({ description: 'Error code that `/scrape` would return.' })),
  event_id: Type.Optional(
    Type.String({ description: 'Identifies this decision; find it in the dashboard.' }),
  ),
});
export type ScrapeBatchResult = Static<typeof scrapeBatchResultSchema>;

export const scrapeBatchStateSchema = shape('ScrapeBatch', {
  job_id: Type.String(),
  status: Type.Enum(['processing', 'completed', 'failed'], {
    description: '`failed`: no page could be fetched.',
  }),
  urls_submitted: Type.Integer({ description: 'Number of addresses.' }),
  urls_completed: Type.Integer({ description: 'Number of finished pages.' }),
  results: Type.Array(scrapeBatchResultSchema, {
    description: 'Results of the finished pages, in the order of the request.',
  }),
});
export type ScrapeBatchState = Static<typeof scrapeBatchStateSchema>;
