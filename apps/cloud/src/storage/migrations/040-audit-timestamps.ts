import type { Migration } from './migration.ts';

/** Timestamps of checkpoints by a timestamp authority; like checkpoints, they outlive the organization. */
export const auditTimestamps: Migration = {
  name: 'audit-timestamps',
  async up(db) {
    await db.schema
      .createTable('audit_timestamps')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('token', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('audit_timestamps_pk', ['organization_id', 'number'])
      .execute();
  },
};
