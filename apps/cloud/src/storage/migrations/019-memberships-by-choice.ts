import type { Migration } from './migration.ts';

/** When a member last selected an organization, and whether a directory created the account. */
export const membershipsByChoice: Migration = {
  name: 'memberships-by-choice',
  async up(db) {
    await db.schema.alterTable('members').addColumn('chosen_at_ms', 'bigint').execute();
    await db.schema
      .alterTable('directory_users')
      .addColumn('made_account', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
