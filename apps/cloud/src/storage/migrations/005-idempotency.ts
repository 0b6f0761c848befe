import type { Migration } from './migration.ts';

export const idempotency: Migration = {
  name: 'idempotency',
  async up(db, types) {
    await db.schema
      .createTable('idempotency_records')
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('idempotency_key', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('lease_id', 'text', (c) => c.notNull())
      .addColumn('lease_ends_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('headers', 'text')
      .addColumn('body', types.blob)
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_records_pk', ['key_id', 'idempotency_key'])
      .execute();
    await db.schema
      .createIndex('idempotency_records_age')
      .on('idempotency_records')
      .column('created_at_ms')
      .execute();
  },
};
