import type { Migration } from './migration.ts';

/** Bytes of responses stored for repeated requests, by organization and hour. */
export const idempotencyUsage: Migration = {
  name: 'idempotency-usage',
  async up(db) {
    await db.schema
      .createTable('idempotency_usage')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_usage_pk', ['organization_id', 'hour'])
      .execute();
  },
};
