import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** In most events nothing was found: those in which something was get a small index of their own. */
export const foundEvents: Migration = {
  name: 'found-events',
  async up(db) {
    await db.schema
      .createIndex('security_events_found')
      .on('security_events')
      .columns(['organization_id', 'at_ms'])
      .where(sql<boolean>`findings is not null`)
      .execute();
  },
};
