import type { Migration } from './migration.ts';

/** Whether the engine on a device evaluated the texts of an event. */
export const evaluatedBy: Migration = {
  name: 'judged-by',
  async up(db) {
    await db.schema.alterTable('security_events').addColumn('judged_by', 'text').execute();
  },
};
