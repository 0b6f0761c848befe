import type { Migration } from './migration.ts';

/** Allowed models and the daily token limit of a key. */
export const keyLimits: Migration = {
  name: 'key-limits',
  async up(db) {
    await db.schema.alterTable('keys').addColumn('allowed_models', 'text').execute();
    await db.schema.alterTable('keys').addColumn('daily_token_limit', 'bigint').execute();
    await db.schema
      .createTable('key_tokens')
      .addColumn('key_id', 'text', (c) => c.primaryKey().references('keys.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('tokens', 'bigint', (c) => c.notNull())
      .execute();
  },
};
