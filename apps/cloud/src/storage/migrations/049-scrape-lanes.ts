import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Pages of one organization and host are fetched one after another: they have the same lane. */
export const scrapeLanes: Migration = {
  name: 'scrape-lanes',
  async up(db) {
    await db.schema
      .alterTable('scrape_pages')
      .addColumn('lane', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await db.schema
      .createIndex('scrape_pages_lanes')
      .on('scrape_pages')
      .columns(['lane', 'lease_ends_at_ms'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
  },
};
