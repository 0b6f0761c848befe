import type { Migration } from './migration.ts';

/** Earlier versions of policies, so that admins can compare and restore them. */
export const policyVersions: Migration = {
  name: 'policy-versions',
  async up(db) {
    await db.schema
      .createTable('policy_versions')
      .addColumn('policy_id', 'text', (c) => c.notNull().references('policies.id').onDelete('cascade'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('changed_by', 'text')
      .addColumn('policy', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('policy_versions_pk', ['policy_id', 'version'])
      .execute();
  },
};
