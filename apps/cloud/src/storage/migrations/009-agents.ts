import type { Migration } from './migration.ts';

export const agents: Migration = {
  name: 'agents',
  async up(db) {
    await db.schema
      .createTable('tool_lists')
      .addColumn('project_id', 'text', (c) => c.primaryKey().references('projects.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('lists', 'text', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();

    await db.schema
      .createTable('agent_calls')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .addColumn('session_id', 'text')
      .addColumn('tool_name', 'text', (c) => c.notNull())
      .addColumn('is_allowed', 'integer', (c) => c.notNull())
      .addColumn('risk_score', 'double precision', (c) => c.notNull())
      .addColumn('anomalies', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('agent_calls_of_agent')
      .on('agent_calls')
      .columns(['organization_id', 'agent_id', 'at_ms'])
      .execute();
    await db.schema.createIndex('agent_calls_age').on('agent_calls').columns(['at_ms']).execute();

    await db.schema
      .createTable('session_taints')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('session_id', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('is_threat', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('session_taints_pk', ['organization_id', 'session_id', 'source'])
      .execute();
    await db.schema.createIndex('session_taints_age').on('session_taints').columns(['at_ms']).execute();

    await db.schema
      .createTable('tool_reviews')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('requested_by', 'text', (c) => c.notNull())
      .addColumn('requester_user_id', 'text')
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .addColumn('session_id', 'text')
      .addColumn('tool_name', 'text', (c) => c.notNull())
      // An approval covers exactly this call. The hash is keyed, so that its arguments cannot be guessed from it.
      .addColumn('call_hash', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decision_reason', 'text')
      .addColumn('decided_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('tool_reviews_newest')
      .on('tool_reviews')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createIndex('tool_reviews_of_call')
      .on('tool_reviews')
      .columns(['organization_id', 'call_hash', 'status'])
      .execute();
  },
};
