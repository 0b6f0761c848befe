import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Few audit rows are changes that people made: an index without the decisions finds them behind any number of those. */
export const auditChanges: Migration = {
  name: 'audit-changes',
  async up(db) {
    await db.schema
      .createIndex('audit_rows_changes')
      .on('audit_rows')
      .columns(['organization_id', 'seq'])
      .where(sql<boolean>`kind <> 'policy_allow' and kind <> 'policy_block'`)
      .execute();
  },
};
