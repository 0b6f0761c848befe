import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Webhooks, usage alerts and checkpoints sent elsewhere, extended policies, and event retention. */
export const notices: Migration = {
  name: 'notices',
  async up(db, types) {
    // No foreign keys: written with the record, on its hottest path.
    await db.schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text')
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text')
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('is_test', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('response_status', 'integer')
      .addColumn('last_error', 'text')
      .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('lease_id', 'text')
      .addColumn('lease_ends_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_attempt_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_due')
      .on('webhook_deliveries')
      .columns(['due_at_ms', 'project_id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_newest')
      .on('webhook_deliveries')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_age')
      .on('webhook_deliveries')
      .column('created_at_ms')
      .execute();
    await db.schema
      .createTable('webhook_secrets')
      .addColumn('project_id', 'text', (c) => c.primaryKey().references('projects.id').onDelete('cascade'))
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('previous_sealed', types.blob)
      .addColumn('previous_until_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('audit_targets')
      .addColumn('organization_id', 'text', (c) =>
        c.primaryKey().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();

    await db.schema
      .createTable('usage_alerts')
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('month', 'text', (c) => c.notNull())
      .addColumn('alert', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_alerts_pk', ['account_id', 'month', 'alert'])
      .execute();
    await db.schema.createIndex('usage_counters_period').on('usage_counters').column('period').execute();

    await db.schema.alterTable('policies').addColumn('rules', 'text').execute();
    await db.schema
      .alterTable('policies')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema
      .alterTable('projects')
      .addColumn('retention_days', 'integer', (c) => c.defaultTo(90))
      .execute();
  },
};
