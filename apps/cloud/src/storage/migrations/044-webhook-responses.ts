import type { Migration } from './migration.ts';

/** The start of the endpoint's response to each attempt. */
export const webhookResponses: Migration = {
  name: 'webhook-responses',
  async up(db) {
    await db.schema.alterTable('webhook_attempts').addColumn('response_excerpt', 'text').execute();
  },
};
