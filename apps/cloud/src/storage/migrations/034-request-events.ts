import type { Migration } from './migration.ts';

/** The event that caused a request, so that the approver sees what was blocked. */
export const requestEvents: Migration = {
  name: 'request-events',
  async up(db) {
    for (const table of ['exceptions', 'tool_requests', 'tool_reviews'])
      await db.schema.alterTable(table).addColumn('event_id', 'text').execute();
  },
};
