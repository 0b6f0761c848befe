import type { Migration } from './migration.ts';

/** Decisions about a text that hold for the rest of its conversation: keyed digests, no texts. */
export const conversationNotes: Migration = {
  name: 'conversation-notes',
  async up(db) {
    await db.schema
      .createTable('conversation_notes')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('note_key', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('conversation_notes_pk', ['organization_id', 'note_key'])
      .execute();
    await db.schema
      .createIndex('conversation_notes_of_project')
      .on('conversation_notes')
      .columns(['organization_id', 'project_id', 'note_key'])
      .execute();
    await db.schema
      .createIndex('conversation_notes_age')
      .on('conversation_notes')
      .columns(['at_ms'])
      .execute();
  },
};
