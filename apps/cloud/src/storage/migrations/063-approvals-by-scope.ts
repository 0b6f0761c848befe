import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Approvals by whom they are for: a device reads its own instead of those of all devices. */
export const approvalsByScope: Migration = {
  name: 'approvals-by-scope',
  async up(db) {
    await db.schema
      .createIndex('requests_approved')
      .on('requests')
      .expression(sql`organization_id, kind, coalesce(device_id, project_id, '')`)
      .where(sql<boolean>`status = 'approved'`)
      .execute();
  },
};
