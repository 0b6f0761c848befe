import {
  CodedError,
  type ScrapeBatch,
  type ScrapeBatchResult,
  type ScrapeBatchStarted,
  type ScrapeBatchState,
  ValidationError,
} from '@csg/shared/contract';
import { DENY_REASONS } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';

export interface BatchDeps {
  readonly storage: Pick<Storage, 'scrapeJobs' | 'transaction'>;
  /** Wakes this instance's runner. */
  readonly wake: () => void;
}

/** Maximum number of pages of one organization that may wait. */
const MAX_WAITING_PAGES = 1_000;

/** Stores the batch and returns immediately; any instance with capacity fetches the pages. */
export async function startBatch(
  deps: BatchDeps,
  principal: Principal,
  request: ScrapeBatch,
): Promise<ScrapeBatchStarted> {
  const problems = request.urls.flatMap((text, index) => {
    const checked = checkUrl(text, { allowPrivate: true });
    if (checked.ok || (checked.reason !== 'not_a_url' && checked.reason !== 'scheme')) return [];
    return [{ loc: ['body', 'urls', index], msg: DENY_REASONS[checked.reason], type: 'url' }];
  });
  if (problems.length > 0) throw new ValidationError(problems);
  const { organizationId, projectId, keyId } = principal;
  const waiting = await deps.storage.scrapeJobs.countPending(organizationId);
  if (waiting + request.urls.length > MAX_WAITING_PAGES) {
    throw new CodedError('rate_limit_exceeded', {
      message: `${waiting} pages of this organization are pending; at most ${MAX_WAITING_PAGES} may be. Send the batch again once some are done.`,
      fields: { retry_after: 30 },
      headers: { 'Retry-After': '30' },
    });
  }
  const started = await deps.storage.transaction(async (repositories): Promise<ScrapeBatchStarted> => {
    const job = await repositories.scrapeJobs.insert(organizationId, {
      projectId,
      keyId,
      options: { renderJs: request.render_js === true, extractText: request.extract_text !== false },
      urls: request.urls,
    });
    return { job_id: job.id, status: 'processing', urls_submitted: request.urls.length };
  });
  deps.wake();
  return started;
}

/** Returns the progress of a batch, with the results so far. */
export async function readBatch(
  deps: Pick<BatchDeps, 'storage'>,
  principal: Principal,
  jobId: string,
): Promise<ScrapeBatchState> {
  const found = await deps.storage.scrapeJobs.get(principal.organizationId, jobId);
  if (found === null) {
    throw new CodedError('not_found', {
      message: 'No such batch. Results are stored for 24 hours.',
    });
  }
  const results = found.pages.flatMap(({ result }) =>
    result === null ? [] : [JSON.parse(result) as ScrapeBatchResult],
  );
  const isDone = results.length === found.pages.length;
  const isFailed = isDone && results.every(({ status }) => status === 'error');
  return {
    job_id: jobId,
    status: isFailed ? 'failed' : isDone ? 'completed' : 'processing',
    urls_submitted: found.pages.length,
    urls_completed: results.length,
    results,
  };
}
