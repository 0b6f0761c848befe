import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Batches of pages, and repositories of code hosts bound to projects. */
export const scrapeJobs: Migration = {
  name: 'scrape-jobs',
  async up(db, types) {
    await db.schema
      .createTable('scrape_jobs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('scrape_jobs_age').on('scrape_jobs').columns(['created_at_ms']).execute();
    await db.schema
      .createTable('scrape_pages')
      .addColumn('job_id', 'text', (c) => c.notNull().references('scrape_jobs.id').onDelete('cascade'))
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_id', 'text')
      .addColumn('lease_ends_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('sealed_result', types.blob)
      .addPrimaryKeyConstraint('scrape_pages_pk', ['job_id', 'number'])
      .execute();
    await db.schema
      .createIndex('scrape_pages_open')
      .on('scrape_pages')
      .columns(['lease_ends_at_ms'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();

    await db.schema
      .createTable('code_repositories')
      .addColumn('full_name', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('code_deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('is_done', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('code_deliveries_age').on('code_deliveries').columns(['at_ms']).execute();
  },
};
