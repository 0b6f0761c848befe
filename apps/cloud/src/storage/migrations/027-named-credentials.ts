import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Several credentials per provider, by name. SQLite cannot change a primary key, so the table is recreated. */
export const namedCredentials: Migration = {
  name: 'named-credentials',
  async up(db, types) {
    await db.schema.alterTable('provider_credentials').renameTo('unnamed_credentials').execute();
    await db.schema
      .createTable('provider_credentials')
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('models', 'text', (c) => c.notNull())
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('provider_credentials_by_name', ['project_id', 'provider', 'name'])
      .execute();
    await sql`insert into provider_credentials (project_id, provider, name, models, sealed, created_at_ms)
      select project_id, provider, 'default', '[]', sealed, created_at_ms from unnamed_credentials`.execute(
      db,
    );
    await db.schema.dropTable('unnamed_credentials').execute();
  },
};
