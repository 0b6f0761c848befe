import { sql } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import { newId } from '../ids.ts';
import { type ClaimedPage, type ScrapeJobs, scrapeJobTable } from '../model/scrape-jobs.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createScrapeJobs(deps: RepositoryDeps, dialect: SqlDialect): ScrapeJobs {
  return {
    ...scrapeJobs(deps),
    ...scrapePages(deps, dialect),
  };
}

/** Pages of one lane are fetched one after another: a host is not flooded, and a slow one delays nobody else's pages. */
function laneOf(organizationId: string, url: string): string {
  return toStorableText(`${organizationId} ${URL.parse(url)?.host ?? ''}`);
}

/** In each lane the first page is the next one. */
function pagesOf(urls: readonly string[], organizationId: string) {
  const begun = new Set<string>();
  return urls.map((url, number) => {
    const lane = laneOf(organizationId, url);
    const isNext = !begun.has(lane);
    begun.add(lane);
    return { number, url: toStorableText(url), lane, is_next: isNext ? 1 : 0 };
  });
}

function scrapeJobs({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<ScrapeJobs, 'insert' | 'get' | 'countPending' | 'prune'> {
  return {
    async insert(organizationId, { projectId, keyId, options, urls }) {
      const row = {
        id: newId('job'),
        organization_id: organizationId,
        project_id: projectId,
        key_id: keyId,
        options: JSON.stringify(options),
        created_at_ms: now(),
      };
      const write = async (tx: typeof db): Promise<void> => {
        await tx.insertInto('scrape_jobs').values(row).execute();
        await tx
          .insertInto('scrape_pages')
          .values(
            pagesOf(urls, organizationId).map((page) => ({
              ...page,
              job_id: row.id,
              status: 'pending',
              attempts: 0,
              lease_id: null,
              lease_ends_at_ms: 0,
              sealed_result: null,
            })),
          )
          .execute();
      };
      // Writes the job and its pages atomically.
      await (db.isTransaction ? write(db) : db.transaction().execute(write));
      return scrapeJobTable.read(row);
    },
    async get(organizationId, jobId) {
      const row = await db
        .selectFrom('scrape_jobs')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', jobId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const pages = await db
        .selectFrom('scrape_pages')
        .select(['number', 'url', 'sealed_result'])
        .where('job_id', '=', jobId)
        .orderBy('number')
        .execute();
      return {
        job: scrapeJobTable.read(row),
        pages: pages.map((page) => ({
          number: page.number,
          url: page.url,
          result:
            page.sealed_result === null
              ? null
              : vault.open(page.sealed_result, SEAL_CONTEXTS.scrapePage(jobId, page.number)),
        })),
      };
    },
    async countPending(organizationId) {
      const { count } = await db
        .selectFrom('scrape_pages as p')
        .innerJoin('scrape_jobs as j', 'j.id', 'p.job_id')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('j.organization_id', '=', organizationId)
        .where('p.status', '=', sql.lit('pending'))
        .executeTakeFirstOrThrow();
      return count;
    },
    async prune(beforeMs) {
      await db.deleteFrom('scrape_jobs').where('created_at_ms', '<', beforeMs).execute();
    },
  };
}

function scrapePages(
  { db, vault, now }: RepositoryDeps,
  dialect: SqlDialect,
): Pick<ScrapeJobs, 'claim' | 'finish'> {
  return {
    async claim(limit, leaseMs) {
      const nowMs = now();
      // Checks before locking: nearly always there is nothing to do.
      if ((await freePages(db, nowMs).limit(1).execute()).length === 0) return [];
      const leaseId = newId('job');
      const taken = await db.transaction().execute(async (tx) => {
        const chosen = await freePages(tx, nowMs)
          .limit(limit)
          .$call((query) => dialect.lockFreeRows(query))
          .execute();
        const rows = [];
        for (const { job_id, number } of firstOfLanes(chosen)) {
          const row = await tx
            .updateTable('scrape_pages')
            .set((q) => ({
              lease_id: leaseId,
              lease_ends_at_ms: nowMs + leaseMs,
              attempts: q('attempts', '+', 1),
            }))
            .where('job_id', '=', job_id)
            .where('number', '=', number)
            .where('status', '=', sql.lit('pending'))
            .where('lease_ends_at_ms', '<=', nowMs)
            .returning(['job_id', 'number', 'url', 'attempts'])
            .executeTakeFirst();
          if (row !== undefined) rows.push(row);
        }
        return rows;
      });
      if (taken.length === 0) return [];
      const jobs = await db
        .selectFrom('scrape_jobs')
        .selectAll()
        .where('id', 'in', [...new Set(taken.map((page) => page.job_id))])
        .execute();
      const byId = new Map(jobs.map((row) => [row.id, scrapeJobTable.read(row)]));
      return taken.flatMap((page): ClaimedPage[] => {
        const job = byId.get(page.job_id);
        if (job === undefined) return [];
        return [{ job, number: page.number, url: page.url, attempts: page.attempts, leaseId }];
      });
    },
    async finish({ job, number, leaseId }, result) {
      const sealed = vault.seal(toStorableText(result), SEAL_CONTEXTS.scrapePage(job.id, number));
      return db.transaction().execute(async (tx) => {
        const done = await tx
          .updateTable('scrape_pages')
          .set({ status: 'done', sealed_result: sealed })
          .where('job_id', '=', job.id)
          .where('number', '=', number)
          .where('lease_id', '=', leaseId)
          .where('status', '=', sql.lit('pending'))
          .returning('lane')
          .executeTakeFirst();
        if (done === undefined) return false;
        const next = tx
          .selectFrom('scrape_pages')
          .select('number')
          .where('job_id', '=', job.id)
          .where('lane', '=', done.lane)
          .where('status', '=', sql.lit('pending'))
          .orderBy('number')
          .limit(1);
        await tx
          .updateTable('scrape_pages')
          .set({ is_next: 1 })
          .where('job_id', '=', job.id)
          .where('number', '=', next)
          .execute();
        return true;
      });
    },
  };
}

/** The next page of each lane of a batch, unless one of the lane is being fetched; batches in turns. */
function freePages(db: RepositoryDeps['db'], nowMs: number) {
  return db
    .selectFrom('scrape_pages as page')
    .select(['job_id', 'number', 'lane'])
    .where('status', '=', sql.lit('pending'))
    .where('is_next', '=', sql.lit(1))
    .where('lease_ends_at_ms', '<=', nowMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scrape_pages as other')
            .select('number')
            .whereRef('other.lane', '=', 'page.lane')
            .where('other.status', '=', sql.lit('pending'))
            .where('other.lease_ends_at_ms', '>', nowMs),
        ),
      ),
    )
    .orderBy('number')
    .orderBy('job_id');
}

/** Two batches may wait for one host. */
function firstOfLanes<T extends { readonly lane: string }>(pages: readonly T[]): readonly T[] {
  const lanes = new Set<string>();
  return pages.filter(({ lane }) => !lanes.has(lane) && lanes.add(lane));
}
