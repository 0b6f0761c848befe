import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const COUNTS = ['requests', 'blocked', 'redacted', 'rejected', 'calls', 'call_errors', 'unmetered'];
const SUMS = ['input_tokens', 'output_tokens', 'scans', 'scan_us', 'call_ms'];

/** Sessions and tags of requests: on their events, and daily usage by each. */
export const labels: Migration = {
  name: 'labels',
  async up(db) {
    await db.schema.alterTable('security_events').addColumn('session', 'text').execute();
    await db.schema.alterTable('security_events').addColumn('tags', 'text').execute();
    await db.schema
      .createIndex('security_events_session')
      .on('security_events')
      .columns(['organization_id', 'session', 'at_ms', 'id'])
      .where(sql<boolean>`session is not null`)
      .execute();
    await db.schema
      .createIndex('security_events_tagged')
      .on('security_events')
      .columns(['organization_id', 'at_ms', 'id'])
      .where(sql<boolean>`tags is not null`)
      .execute();
    let table = db.schema.createTable('usage_labels');
    for (const name of ['organization_id', 'day', 'project_id', 'label', 'key_id', 'device_id', 'model'])
      table = table.addColumn(name, 'text', (c) => c.notNull()) as never;
    for (const name of [...COUNTS, ...SUMS])
      table = table.addColumn(name, 'bigint', (c) => c.notNull()) as never;
    await table
      .addPrimaryKeyConstraint('usage_labels_pk', [
        ...['organization_id', 'project_id', 'day', 'label', 'key_id', 'device_id', 'model'],
      ] as never)
      .execute();
  },
};
