import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Skips held deliveries, and finds events of a project by age, at a cost independent of the other stored rows. */
export const costsOfBacklogs: Migration = {
  name: 'costs-of-backlogs',
  async up(db) {
    await db.schema
      .createIndex('webhook_deliveries_endpoint')
      .on('webhook_deliveries')
      .expression(sql`coalesce(webhook_id, project_id, organization_id), due_at_ms`)
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    // An expression index: only queries that need it use it, and null is a value like any other.
    await db.schema
      .createIndex('security_events_project')
      .on('security_events')
      .expression(sql`organization_id, coalesce(project_id, ''), at_ms`)
      .execute();
  },
};
