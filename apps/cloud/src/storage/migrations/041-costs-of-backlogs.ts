import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Held deliveries are passed over, and events of a project found by their age, at no cost of what else is stored. */
export const costsOfBacklogs: Migration = {
  name: 'costs-of-backlogs',
  async up(db) {
    await db.schema
      .createIndex('webhook_deliveries_endpoint')
      .on('webhook_deliveries')
      .expression(sql`coalesce(webhook_id, project_id, organization_id), due_at_ms`)
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    // By an expression, so that only the queries that need it use it, and null is one of its values.
    await db.schema
      .createIndex('security_events_project')
      .on('security_events')
      .expression(sql`organization_id, coalesce(project_id, ''), at_ms`)
      .execute();
  },
};
