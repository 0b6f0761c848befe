import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An index of changes without decisions: finds the few changes regardless of the number of decisions. */
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
