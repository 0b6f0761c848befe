import type { Migration } from './migration.ts';

/** Whether the device's proxy is the system proxy. */
export const deviceRoutes: Migration = {
  name: 'device-routes',
  async up(db) {
    await db.schema.alterTable('devices').addColumn('system_proxy', 'text').execute();
  },
};
