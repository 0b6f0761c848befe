import { CodedError, type ScrapeBatchResult, ValidationError } from '@csg/shared/contract';
import type { ClaimedPage, Storage } from '../../storage/storage.ts';
import { type ProjectPrincipalDeps, principalOfProject } from '../principal-of-project.ts';
import { type ScrapePageDeps, scrapePage } from '../scrape-page.ts';

export interface BatchRunnerDeps extends ScrapePageDeps, ProjectPrincipalDeps {
  readonly storage: ScrapePageDeps['storage'] & ProjectPrincipalDeps['storage'] & Pick<Storage, 'scrapeJobs'>;
  readonly scanner: ScrapePageDeps['scanner'] & ProjectPrincipalDeps['scanner'];
  readonly newRequestId: () => string;
}

/** On each instance; of one organization and host one at a time, on all of them. */
const MAX_AT_ONCE = 8;
/** A page takes at most 30 seconds; a worker that has not reported by then has failed. */
export const LEASE_MS = 45_000;
const MAX_ATTEMPTS = 3;

export interface BatchRunner {
  /** Starts pages if there is capacity. Never rejects; only one poll runs at a time. */
  poll(): Promise<void>;
  /** Starts no further pages; resolves when none is in progress. */
  close(): Promise<void>;
}

/**
 * Fetches the pages of batches, over any number of instances. If a result could not be stored because the process was
 * killed or the database was unavailable, the page is fetched again.
 */
export function createBatchRunner(deps: BatchRunnerDeps): BatchRunner {
  const inFlight = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let isRequestedAgain = false;
  let isClosed = false;
  let hasFailed = false;

  function begin(page: ClaimedPage): void {
    const work = runPage(deps, page)
      .catch((err: unknown) => deps.log.error({ err, job_id: page.job.id }, 'a page was not written down'))
      .then(() => {
        inFlight.delete(work);
        void runner.poll();
      });
    inFlight.add(work);
  }

  async function beginFree(): Promise<void> {
    do {
      isRequestedAgain = false;
      await claimPages(MAX_AT_ONCE - inFlight.size);
    } while (isRequestedAgain);
  }

  async function claimPages(count: number): Promise<void> {
    try {
      for (const page of await deps.storage.scrapeJobs.claim(count, LEASE_MS)) begin(page);
      hasFailed = false;
    } catch (err) {
      // The next poll tries again; the failure is logged once.
      if (!hasFailed) deps.log.error({ err }, 'batches cannot continue for now');
      hasFailed = true;
    }
  }

  const runner: BatchRunner = {
    async poll() {
      if (isClosed) return;
      isRequestedAgain = true;
      looking ??= beginFree().finally(() => {
        looking = undefined;
      });
      await looking;
    },
    async close() {
      isClosed = true;
      isRequestedAgain = false;
      await looking;
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
  return runner;
}

async function runPage(deps: BatchRunnerDeps, page: ClaimedPage): Promise<void> {
  await deps.storage.scrapeJobs.finish(page, JSON.stringify(await resultOf(deps, page)));
}

async function resultOf(deps: BatchRunnerDeps, page: ClaimedPage): Promise<ScrapeBatchResult> {
  const { job, url } = page;
  if (page.attempts > MAX_ATTEMPTS) {
    return unread(url, 'page_unreachable', `The page could not be fetched in ${MAX_ATTEMPTS} attempts.`);
  }
  const principal = await principalOfProject(deps, job.organizationId, job.projectId, job.keyId);
  if (principal === null) return unread(url, 'not_found', 'The project of this batch was deleted.');
  try {
    const request = { url, render_js: job.options.renderJs, extract_text: job.options.extractText };
    const { response, evaluation } = await scrapePage(deps, principal, request, deps.newRequestId());
    return {
      ...response,
      ...(principal.zeroRetention && response.status === 'safe' ? UNKEPT : {}),
      event_id: evaluation.eventId,
    };
  } catch (error) {
    if (error instanceof CodedError) return unread(url, error.code, error.message);
    if (error instanceof ValidationError) {
      return unread(url, 'validation_error', error.detail.map(({ msg }) => msg).join(' '));
    }
    throw error;
  }
}

/** Replaces safe pages: batch results are stored for a while, and this project stores no text. */
const UNKEPT = {
  content: '',
  message:
    'No threat was found. This project stores no text. To get the content, fetch the page with /scrape.',
};

function unread(url: string, code: string, message: string): ScrapeBatchResult {
  return { url, status: 'error', content: '', threats_detected: [], message, code };
}
