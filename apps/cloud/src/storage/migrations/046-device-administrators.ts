import type { Migration } from './migration.ts';

/** Hosts that a device cannot inspect until an administrator makes it trust another certificate. */
export const deviceAdministrators: Migration = {
  name: 'device-administrators',
  async up(db) {
    await db.schema.alterTable('devices').addColumn('needs_administrator', 'text').execute();
  },
};
