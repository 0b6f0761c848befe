import type { Migration } from './migration.ts';

/** Organizations that require a second factor. */
export const secondFactorRule: Migration = {
  name: 'second-factor-rule',
  async up(db) {
    await db.schema
      .alterTable('organizations')
      .addColumn('requires_second_factor', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
