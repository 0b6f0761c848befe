import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Finds overdue pending requests without reading all stored requests. */
export const pendingRequests: Migration = {
  name: 'pending-requests',
  async up(db) {
    for (const table of ['exceptions', 'tool_requests'] as const)
      await db.schema
        .createIndex(`${table}_pending`)
        .on(table)
        .columns(['created_at_ms'])
        .where(sql<boolean>`status = 'pending'`)
        .execute();
  },
};
