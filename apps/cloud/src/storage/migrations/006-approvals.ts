import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Requests and their approval, and an organization's fleet settings. */
export const approvals: Migration = {
  name: 'approvals',
  async up(db) {
    await db.schema
      .createTable('exceptions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('device_id', 'text')
      .addColumn('requested_by', 'text', (c) => c.notNull())
      .addColumn('requester_user_id', 'text')
      .addColumn('destination_host', 'text', (c) => c.notNull())
      .addColumn('host_key', 'text', (c) => c.notNull())
      .addColumn('policy_id', 'text')
      .addColumn('threat', 'text')
      .addColumn('reason_category', 'text')
      .addColumn('justification', 'text')
      .addColumn('requested_minutes', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decision_reason', 'text')
      .addColumn('decided_at_ms', 'bigint')
      .addColumn('starts_at_ms', 'bigint')
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('tool_requests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('device_id', 'text')
      .addColumn('requested_by', 'text', (c) => c.notNull())
      .addColumn('requester_user_id', 'text')
      .addColumn('requested_host', 'text', (c) => c.notNull())
      .addColumn('requested_name', 'text')
      .addColumn('justification', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decision_reason', 'text')
      .addColumn('decided_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    for (const table of ['exceptions', 'tool_requests'] as const) {
      await db.schema
        .createIndex(`${table}_newest`)
        .on(table)
        .columns(['organization_id', 'created_at_ms', 'id'])
        .execute();
      await db.schema
        .createIndex(`${table}_changed`)
        .on(table)
        .columns(['organization_id', 'changed_at_ms'])
        .execute();
      // Only open requests, which are few compared to all stored ones.
      await db.schema
        .createIndex(`${table}_open`)
        .on(table)
        .columns(['organization_id', 'status'])
        .where(sql<boolean>`status in ('pending', 'approved')`)
        .execute();
    }
    await db.schema
      .createIndex('exceptions_running')
      .on('exceptions')
      .columns(['expires_at_ms'])
      .where(sql<boolean>`status = 'approved'`)
      .execute();
    await db.schema
      .createIndex('devices_revoked')
      .on('devices')
      .columns(['organization_id', 'revoked_at_ms'])
      .where(sql<boolean>`revoked_at_ms is not null`)
      .execute();

    await db.schema
      .createTable('fleet_settings')
      .addColumn('organization_id', 'text', (c) =>
        c.primaryKey().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};
