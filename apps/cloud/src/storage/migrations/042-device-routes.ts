import type { Migration } from './migration.ts';

/** Whether the apps of a device are led through its proxy. */
export const deviceRoutes: Migration = {
  name: 'device-routes',
  async up(db) {
    await db.schema.alterTable('devices').addColumn('system_proxy', 'text').execute();
  },
};
