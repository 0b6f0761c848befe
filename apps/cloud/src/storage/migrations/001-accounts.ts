import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const accounts: Migration = {
  name: 'accounts',
  async up(db) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('email_verified_at_ms', 'bigint')
      .addColumn('name', 'text')
      .addColumn('password_hash', 'text')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();

    await db.schema
      .createTable('organizations')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('owner_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('organizations_owner').on('organizations').column('owner_id').execute();
    await db.schema
      .createIndex('organizations_one_personal')
      .unique()
      .on('organizations')
      .column('owner_id')
      .where(sql<boolean>`kind = 'personal'`)
      .execute();

    await db.schema
      .createTable('members')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('joined_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('members_pk', ['organization_id', 'user_id'])
      .execute();
    await db.schema.createIndex('members_user').on('members').column('user_id').execute();

    await db.schema
      .createTable('subscriptions')
      .addColumn('account_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('plan', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('per_minute', 'bigint')
      .addColumn('monthly', 'bigint')
      .addColumn('spend_cap_usd', 'double precision')
      .addColumn('on_demand', 'integer', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};
