import { json, number, orNull, type RecordOf, table, text } from '../table.ts';
/** How the pages of a batch are to be read. */
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

/** One address of a batch; `result` is what the caller gets, JSON, sealed where it lies. Null: not done yet. */
export interface ScrapeJobPage {
  readonly number: number;
  readonly url: string;
  readonly result: string | null;
}

/** One that is this caller's to fetch until its lease ends. */
export interface ClaimedPage {
  readonly job: ScrapeJob;
  readonly number: number;
  readonly url: string;
  /** This one included. */
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
  /** Pages of the organization that are not done. */
  countPending(organizationId: string): Promise<number>;
  /** Pages without a worker, of the oldest jobs first; each is given to one caller, over all instances. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedPage[]>;
  /** False if another worker has taken the lease meanwhile. */
  finish(page: ClaimedPage, result: string): Promise<boolean>;
  prune(beforeMs: number): Promise<void>;
}
