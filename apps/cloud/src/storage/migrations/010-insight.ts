import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Feedback on events, and stored runs of the security tests. */
export const insight: Migration = {
  name: 'insight',
  async up(db) {
    await db.schema
      .createTable('event_marks')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      // No foreign key: feedback outlives the pruning of its event.
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text')
      .addColumn('note', 'text')
      .addColumn('marked_by', 'text', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('event_marks_pk', ['organization_id', 'event_id'])
      .execute();

    await db.schema
      .createTable('security_test_runs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('target_preset', 'text', (c) => c.notNull())
      .addColumn('started_by', 'text', (c) => c.notNull())
      .addColumn('duration_ms', 'bigint', (c) => c.notNull())
      .addColumn('report', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('security_test_runs_newest')
      .on('security_test_runs')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();

    // For searches by threat; few events have one.
    await db.schema
      .createIndex('security_events_threat')
      .on('security_events')
      .columns(['organization_id', 'threat_type', 'at_ms'])
      .where(sql<boolean>`threat_type is not null`)
      .execute();
  },
};
