import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Indexes for lists that otherwise read everything of an organization, or of all. */
export const costsOfLists: Migration = {
  name: 'costs-of-lists',
  async up(db) {
    await db.schema
      .createIndex('event_marks_newest')
      .on('event_marks')
      .columns(['organization_id', 'created_at_ms', 'event_id'])
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_pending')
      .on('webhook_deliveries')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    await db.schema
      .createIndex('tool_reviews_pending')
      .on('tool_reviews')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
  },
};
