import type { Migration } from './migration.ts';

/** Named event filters of a person. */
export const savedFilters: Migration = {
  name: 'saved-filters',
  async up(db) {
    await db.schema
      .createTable('saved_filters')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('query', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('saved_filters_of_user')
      .on('saved_filters')
      .columns(['organization_id', 'user_id'])
      .execute();
  },
};
