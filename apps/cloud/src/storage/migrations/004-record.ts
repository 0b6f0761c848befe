import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** No foreign keys: the record outlives the objects it refers to, and the hottest write does no lookups. */
export const record: Migration = {
  name: 'record',
  async up(db, types) {
    await db.schema
      .createTable('usage_counters')
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('period', 'text', (c) => c.notNull())
      .addColumn('requests', 'bigint', (c) => c.notNull())
      .addColumn('device_requests', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_counters_pk', ['account_id', 'period'])
      .execute();

    await db.schema
      .createTable('security_events')
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text')
      .addColumn('key_id', 'text')
      .addColumn('device_id', 'text')
      .addColumn('request_id', 'text')
      .addColumn('direction', 'text', (c) => c.notNull())
      .addColumn('route', 'text', (c) => c.notNull())
      .addColumn('model', 'text')
      .addColumn('decision', 'text', (c) => c.notNull())
      .addColumn('threat_type', 'text')
      .addColumn('confidence', 'double precision', (c) => c.notNull())
      .addColumn('findings', 'text')
      .addColumn('unscanned', 'text')
      .addColumn('failed', 'text')
      .addColumn('latency_us', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('security_events_newest')
      .on('security_events')
      .columns(['organization_id', 'at_ms'])
      .execute();
    // Most decisions are allow; the others, which are searched for, have a small index of their own.
    await db.schema
      .createIndex('security_events_refused')
      .on('security_events')
      .columns(['organization_id', 'at_ms'])
      .where(sql<boolean>`decision <> 'allow'`)
      .execute();
    await db.schema
      .createIndex('security_events_device')
      .on('security_events')
      .columns(['device_id', 'at_ms'])
      .where(sql<boolean>`device_id is not null`)
      .execute();

    await db.schema
      .createTable('audit_heads')
      .addColumn('organization_id', 'text', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('hash', types.blob, (c) => c.notNull())
      .addColumn('seal', types.blob, (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('audit_rows')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('prev_hash', types.blob, (c) => c.notNull())
      .addColumn('hash', types.blob, (c) => c.notNull())
      .addPrimaryKeyConstraint('audit_rows_pk', ['organization_id', 'seq'])
      .execute();
    await db.schema
      .createTable('audit_checkpoints')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('file_id', 'text', (c) => c.notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('signature', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('audit_checkpoints_pk', ['organization_id', 'number'])
      .execute();
  },
};
