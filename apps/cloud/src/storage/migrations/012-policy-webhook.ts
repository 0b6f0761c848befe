import type { Migration } from './migration.ts';

/** The customer's endpoint that takes part in decisions: settings as JSON. */
export const policyWebhook: Migration = {
  name: 'policy-webhook',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('policy_webhook', 'text').execute();
  },
};
