import type { Migration } from './migration.ts';

/** What a project has set itself, as JSON; null: nothing. */
export const projectSettings: Migration = {
  name: 'project-settings',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('settings', 'text').execute();
  },
};
