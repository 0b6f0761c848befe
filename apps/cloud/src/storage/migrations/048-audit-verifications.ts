import type { Migration } from './migration.ts';

/** The latest verifications of each audit chain, with their progress. */
export const auditVerifications: Migration = {
  name: 'audit-verifications',
  async up(db) {
    await db.schema
      .createTable('audit_verifications')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('started_by', 'text', (c) => c.notNull())
      .addColumn('started_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('seen_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_at_ms', 'bigint')
      .addColumn('rows_read', 'bigint', (c) => c.notNull())
      .addColumn('rows_total', 'bigint')
      .addColumn('outcome', 'text')
      .addColumn('first_invalid', 'bigint')
      .execute();
    await db.schema
      .createIndex('audit_verifications_newest')
      .on('audit_verifications')
      .columns(['organization_id', 'started_at_ms', 'id'])
      .execute();
  },
};
