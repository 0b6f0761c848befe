import type { Migration } from './migration.ts';

export const policiesAndDevices: Migration = {
  name: 'policies-and-devices',
  async up(db, types) {
    await db.schema
      .createTable('policies')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('threat_types', 'text', (c) => c.notNull())
      .addColumn('priority', 'integer', (c) => c.notNull())
      .addColumn('is_active', 'integer', (c) => c.notNull())
      .addColumn('from_preset', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('policies_organization')
      .on('policies')
      .columns(['organization_id', 'project_id'])
      .execute();

    await db.schema
      .createTable('enrollments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('created_by', 'text')
      .addColumn('label', 'text')
      .addColumn('is_bulk', 'integer', (c) => c.notNull())
      .addColumn('platform', 'text')
      .addColumn('token_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('uses_left', 'integer', (c) => c.notNull())
      .addColumn('uses_total', 'integer', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('revoked_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('enrollments_organization')
      .on('enrollments')
      .column('organization_id')
      .execute();

    await db.schema
      .createTable('devices')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('set null'))
      .addColumn('enrollment_id', 'text')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('platform', 'text', (c) => c.notNull())
      .addColumn('coverage', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text')
      .addColumn('end_user_label', 'text')
      .addColumn('agent_version', 'text')
      .addColumn('proxy_restarts', 'bigint')
      .addColumn('supervisor_state', 'text')
      .addColumn('last_seen_at_ms', 'bigint')
      .addColumn('revoked_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('devices_organization')
      .on('devices')
      .columns(['organization_id', 'user_id'])
      .execute();
  },
};
