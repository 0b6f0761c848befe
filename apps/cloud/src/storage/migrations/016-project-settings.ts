import type { Migration } from './migration.ts';

/** Explicit settings of a project, as JSON; null: none. */
export const projectSettings: Migration = {
  name: 'project-settings',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('settings', 'text').execute();
  },
};
