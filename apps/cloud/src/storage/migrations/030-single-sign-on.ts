import type { Migration } from './migration.ts';

/** OpenID Connect providers of organizations, linked identities, and pending sign-ins. */
export const singleSignOn: Migration = {
  name: 'single-sign-on',
  async up(db, types) {
    await db.schema
      .alterTable('organizations')
      .addColumn('sso_only', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('sessions')
      .addColumn('sso_organization_id', 'text', (c) => c.references('organizations.id').onDelete('cascade'))
      .execute();
    await db.schema
      .createTable('sso_providers')
      .addColumn('organization_id', 'text', (c) =>
        c.primaryKey().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('issuer', 'text', (c) => c.notNull())
      .addColumn('client_id', 'text', (c) => c.notNull())
      .addColumn('sealed_secret', types.blob)
      .addColumn('role_claim', 'text')
      .addColumn('domains', 'text', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('sso_identities')
      .addColumn('issuer', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('linked_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sso_identities_pk', ['issuer', 'subject'])
      .execute();
    await db.schema.createIndex('sso_identities_user').on('sso_identities').column('user_id').execute();
    await db.schema
      .createTable('sso_sign_ins')
      .addColumn('state_hash', types.blob, (c) => c.primaryKey())
      .addColumn('browser_hash', types.blob, (c) => c.notNull())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('link_session_id', 'text')
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('sso_sign_ins_expiry').on('sso_sign_ins').column('expires_at_ms').execute();
  },
};
