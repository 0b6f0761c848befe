import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Small indexes of rare rows: events with findings, deliveries that failed. */
export const foundEvents: Migration = {
  name: 'found-events',
  async up(db) {
    await db.schema
      .createIndex('security_events_found')
      .on('security_events')
      .columns(['organization_id', 'at_ms'])
      .where(sql<boolean>`findings is not null`)
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_failed')
      .on('webhook_deliveries')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .where(sql<boolean>`status = 'failed'`)
      .execute();
  },
};
