import type { Migration } from './migration.ts';

/** The arguments of a tool call, for the person who approves it. */
export const toolReviewArguments: Migration = {
  name: 'tool-review-arguments',
  async up(db, types) {
    await db.schema.alterTable('tool_reviews').addColumn('sealed_arguments', types.blob).execute();
  },
};
