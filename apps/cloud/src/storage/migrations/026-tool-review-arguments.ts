import type { Migration } from './migration.ts';

/** What a tool would be called with, so that who approves a call knows it. */
export const toolReviewArguments: Migration = {
  name: 'tool-review-arguments',
  async up(db, types) {
    await db.schema.alterTable('tool_reviews').addColumn('sealed_arguments', types.blob).execute();
  },
};
