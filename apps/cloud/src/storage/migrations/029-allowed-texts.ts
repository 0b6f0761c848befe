import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** A report of a false positive can request that its texts be allowed; an approver decides. */
export const allowedTexts: Migration = {
  name: 'allowed-texts',
  async up(db) {
    const marks = () => db.schema.alterTable('event_marks');
    await marks().addColumn('id', 'text').execute();
    await marks()
      .addColumn('allow_text', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await marks()
      .addColumn('status', 'text', (c) => c.notNull().defaultTo('recorded'))
      .execute();
    await marks().addColumn('requester_user_id', 'text').execute();
    await marks().addColumn('decided_by', 'text').execute();
    await marks().addColumn('decision_reason', 'text').execute();
    await marks().addColumn('decided_at_ms', 'bigint').execute();
    await sql`update event_marks set id = 'fbk_' || substr(event_id, 5)`.execute(db);
    await db.schema
      .createIndex('event_marks_id')
      .on('event_marks')
      .columns(['organization_id', 'id'])
      .execute();

    await db.schema
      .createTable('allowed_texts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('text_key', 'text', (c) => c.notNull())
      .addColumn('threat_types', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('approved_by', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('allowed_texts_of_key')
      .on('allowed_texts')
      .columns(['organization_id', 'text_key'])
      .execute();
  },
};
