import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The policy that decided an event, for searches by policy. */
export const decidedBy: Migration = {
  name: 'decided-by',
  async up(db) {
    await db.schema.alterTable('security_events').addColumn('decided_by', 'text').execute();
    await db.schema
      .createIndex('security_events_decided_by')
      .on('security_events')
      .columns(['organization_id', 'decided_by', 'at_ms'])
      .where(sql<boolean>`threat_type is not null`)
      .execute();
  },
};
