import { json, number, orNull, type RecordOf, table, text } from '../table.ts';
/** Options for reading the pages of a batch. */
export interface ScrapeJobOptions {
  readonly renderJs: boolean;
  readonly extractText: boolean;
}

/** `job_…` */
export const scrapeJobTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  keyId: text,
  options: json<ScrapeJobOptions>(),
  createdAtMs: number,
});
export type ScrapeJob = RecordOf<typeof scrapeJobTable>;

/** One URL of a batch. `result` is the JSON for the caller, stored sealed; null: not done yet. */
export interface ScrapeJobPage {
  readonly number: number;
  readonly url: string;
  readonly result: string | null;
}

/** A page that only this caller may fetch until its lease expires. */
export interface ClaimedPage {
  readonly job: ScrapeJob;
  readonly number: number;
  readonly url: string;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly leaseId: string;
}

export interface ScrapeJobs {
  insert(
    organizationId: string,
    job: Pick<ScrapeJob, 'projectId' | 'keyId' | 'options'> & { readonly urls: readonly string[] },
  ): Promise<ScrapeJob>;
  get(
    organizationId: string,
    jobId: string,
  ): Promise<{ readonly job: ScrapeJob; readonly pages: readonly ScrapeJobPage[] } | null>;
  /** Number of pages of the organization that are not done. */
  countPending(organizationId: string): Promise<number>;
  /** Leases pages without a worker, from the oldest jobs first; each goes to one caller over all instances. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedPage[]>;
  /** false if another worker has taken over the lease. */
  finish(page: ClaimedPage, result: string): Promise<boolean>;
  prune(beforeMs: number): Promise<void>;
}
