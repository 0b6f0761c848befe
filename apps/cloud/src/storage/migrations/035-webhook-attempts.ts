import type { Migration } from './migration.ts';

/** Attempts of each delivery, paused endpoints, and the previous secret of further webhooks. */
export const webhookAttempts: Migration = {
  name: 'webhook-attempts',
  async up(db, types) {
    await db.schema
      .createTable('webhook_attempts')
      .addColumn('delivery_id', 'text', (c) =>
        c.notNull().references('webhook_deliveries.id').onDelete('cascade'),
      )
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('response_status', 'integer')
      .addColumn('error', 'text')
      .addColumn('duration_ms', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('webhook_attempts_pk', ['delivery_id', 'number'])
      .execute();
    await db.schema
      .createTable('webhook_pauses')
      .addColumn('endpoint_id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('paused_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('webhook_pauses_organization')
      .on('webhook_pauses')
      .column('organization_id')
      .execute();
    await db.schema.alterTable('webhooks').addColumn('previous_sealed_secret', types.blob).execute();
    await db.schema.alterTable('webhooks').addColumn('previous_until_ms', 'bigint').execute();
  },
};
