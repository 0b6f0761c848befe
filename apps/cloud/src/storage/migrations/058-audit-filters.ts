import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Changes of the audit log by person, kind, time and the client's address; ended requests of one kind. */
export const auditFilters: Migration = {
  name: 'audit-filters',
  async up(db) {
    await db.schema.dropIndex('audit_rows_changes').execute();
    for (const [name, columns] of [
      ['audit_rows_changes', []],
      ['audit_rows_changes_by_actor', ['actor']],
      ['audit_rows_changes_by_kind', ['kind']],
    ] as const)
      await db.schema
        .createIndex(name)
        .on('audit_rows')
        .columns(['organization_id', ...columns, 'at_ms', 'seq'])
        .where(sql<boolean>`kind <> 'policy_allow' and kind <> 'policy_block'`)
        .execute();
    await db.schema
      .createTable('audit_addresses')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('audit_addresses_pk', ['organization_id', 'seq'])
      .execute();
    await db.schema
      .createIndex('audit_addresses_newest')
      .on('audit_addresses')
      .columns(['organization_id', 'address', 'at_ms', 'seq'])
      .execute();
    await db.schema.createIndex('audit_addresses_by_actor').on('audit_addresses').column('actor').execute();
    await db.schema.dropIndex('requests_ending').execute();
    await db.schema
      .createIndex('requests_ending')
      .on('requests')
      .columns(['kind', 'ends_at_ms'])
      .where(sql<boolean>`status in ('pending', 'approved')`)
      .execute();
  },
};
