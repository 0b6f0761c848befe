import type { Migration } from './migration.ts';

/** Tokens with which programs administer an organization as the token's creator. */
export const organizationTokens: Migration = {
  name: 'organization-tokens',
  async up(db, types) {
    await db.schema
      .createTable('organization_tokens')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('token_hash', types.blob, (c) => c.notNull().unique())
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('last_used_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('organization_tokens_organization')
      .on('organization_tokens')
      .column('organization_id')
      .execute();
  },
};
