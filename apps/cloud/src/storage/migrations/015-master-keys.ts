import type { Migration } from './migration.ts';

/** The master keys in use, and the service's own secrets, which outlive them. */
export const masterKeys: Migration = {
  name: 'master-keys',
  async up(db, types) {
    await db.schema
      .createTable('master_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('first_used_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('own_secrets')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .execute();
  },
};
