import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const projectsAndKeys: Migration = {
  name: 'projects-and-keys',
  async up(db, types) {
    await db.schema
      .createTable('projects')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('fail_mode', 'text', (c) => c.notNull())
      .addColumn('use_case', 'text', (c) => c.notNull())
      .addColumn('strictness_level', 'text', (c) => c.notNull())
      .addColumn('zero_retention', 'integer', (c) => c.notNull())
      .addColumn('webhook_url', 'text')
      .addColumn('webhook_enabled', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('projects_organization').on('projects').column('organization_id').execute();

    await db.schema
      .createTable('provider_credentials')
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('provider_credentials_pk', ['project_id', 'provider'])
      .execute();

    await db.schema
      .createTable('keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('user_id', 'text')
      .addColumn('device_id', 'text')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('key_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('is_active', 'integer', (c) => c.notNull())
      .addColumn('last_used_at_ms', 'bigint')
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('keys_organization')
      .on('keys')
      .columns(['organization_id', 'project_id'])
      .execute();
    await db.schema
      .createIndex('keys_device')
      .on('keys')
      .column('device_id')
      .where(sql<boolean>`device_id is not null`)
      .execute();
  },
};
