import type { Migration } from './migration.ts';

/** Hosts that a device cannot read until an administrator has it trust another certificate. */
export const deviceAdministrators: Migration = {
  name: 'device-administrators',
  async up(db) {
    await db.schema.alterTable('devices').addColumn('needs_administrator', 'text').execute();
  },
};
