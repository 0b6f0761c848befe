import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Sign-in, invitations, email, and directories that provision users. */
export const people: Migration = {
  name: 'people',
  async up(db, types) {
    await db.schema.alterTable('organizations').addColumn('allowed_ips', 'text').execute();

    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (c) => c.references('organizations.id').onDelete('set null'))
      .addColumn('token_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('previous_hash', types.blob, (c) => c.unique())
      .addColumn('previous_until_ms', 'bigint')
      .addColumn('csrf_token', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('rotated_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
    await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at_ms').execute();

    await db.schema
      .createTable('known_browsers')
      .addColumn('token_hash', types.blob, (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('known_browsers_expiry')
      .on('known_browsers')
      .column('expires_at_ms')
      .execute();
    await db.schema.createIndex('known_browsers_user').on('known_browsers').column('user_id').execute();

    await db.schema
      .createTable('account_links')
      .addColumn('token_hash', types.blob, (c) => c.primaryKey())
      .addColumn('purpose', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('email', 'text')
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('account_links_user')
      .on('account_links')
      .columns(['user_id', 'purpose'])
      .execute();
    await db.schema.createIndex('account_links_expiry').on('account_links').column('expires_at_ms').execute();

    await db.schema
      .createTable('second_factors')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('confirmed_at_ms', 'bigint')
      .addColumn('last_step', 'bigint', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('recovery_codes')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_hash', types.blob, (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
      .execute();

    await db.schema
      .createTable('invitations')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('token_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('invited_by', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('sent_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('invitations_organization')
      .on('invitations')
      .columns(['organization_id', 'created_at_ms'])
      .execute();
    await db.schema
      .createIndex('invitations_one_open')
      .unique()
      .on('invitations')
      .columns(['organization_id', 'email_key'])
      .where(sql<boolean>`status = 'open'`)
      .execute();

    await db.schema
      .createTable('mails')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.references('organizations.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('to_address', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('sealed_text', types.blob)
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_error', 'text')
      .addColumn('sent_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('mails_newest')
      .on('mails')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createIndex('mails_due')
      .on('mails')
      .column('due_at_ms')
      .where(sql<boolean>`status = 'waiting'`)
      .execute();
    await db.schema.createIndex('mails_age').on('mails').column('created_at_ms').execute();

    await db.schema
      .createTable('directory_tokens')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('token_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('last_used_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('directory_tokens_organization')
      .on('directory_tokens')
      .column('organization_id')
      .execute();
    await db.schema
      .createTable('directory_users')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('external_id', 'text')
      .addColumn('given_name', 'text')
      .addColumn('family_name', 'text')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('directory_users_pk', ['organization_id', 'user_id'])
      .execute();
  },
};
