import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Further endpoints of a project, and the events sent to each. */
export const furtherWebhooks: Migration = {
  name: 'further-webhooks',
  async up(db, types) {
    await db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('events', 'text')
      .addColumn('sealed_secret', types.blob)
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('webhooks_project').on('webhooks').column('project_id').execute();
    await db.schema.alterTable('projects').addColumn('webhook_events', 'text').execute();
    // Read together with each key, so that a decision needs no second query for its endpoints.
    await db.schema.alterTable('projects').addColumn('further_webhooks', 'text').execute();
    await db.schema.alterTable('webhook_deliveries').addColumn('webhook_id', 'text').execute();
    await db.schema.dropIndex('webhook_deliveries_due').execute();
    await db.schema
      .createIndex('webhook_deliveries_due')
      .on('webhook_deliveries')
      .columns(['due_at_ms', 'project_id', 'webhook_id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
  },
};
