import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The next page of each lane of a batch is marked, so that it is found without reading those that wait behind it. */
export const nextPages: Migration = {
  name: 'next-pages',
  async up(db) {
    await db.schema
      .alterTable('scrape_pages')
      .addColumn('is_next', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('scrape_pages_waiting')
      .on('scrape_pages')
      .columns(['job_id', 'lane', 'number'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    await db.schema
      .createIndex('scrape_pages_next')
      .on('scrape_pages')
      .columns(['number', 'job_id'])
      .where(sql<boolean>`status = 'pending' and is_next = 1`)
      .execute();
    await sql`
      update scrape_pages set is_next = 1 where status = 'pending' and number = (
        select min(number) from scrape_pages as first
        where first.job_id = scrape_pages.job_id and first.lane = scrape_pages.lane and first.status = 'pending'
      )
    `.execute(db);
  },
};
