import type { Migration } from './migration.ts';

/** References that no index begins with: deleting what they refer to would read the whole table, for each row. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  code_repositories: ['organization_id', 'project_id'],
  conversation_notes: ['project_id'],
  devices: ['project_id'],
  directory_users: ['user_id'],
  enrollments: ['project_id'],
  keys: ['project_id'],
  policies: ['project_id'],
  saved_filters: ['user_id'],
  scrape_jobs: ['organization_id'],
  sessions: ['organization_id', 'sso_organization_id'],
  sso_sign_ins: ['organization_id'],
  tool_lists: ['organization_id'],
};

export const indexesOfReferences: Migration = {
  name: 'indexes-of-references',
  async up(db) {
    for (const [table, columns] of Object.entries(REFERENCES))
      for (const column of columns)
        await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
    await db.schema
      .createIndex('allowed_texts_of_project')
      .on('allowed_texts')
      .columns(['project_id', 'text_key'])
      .execute();
    // Read at each sign-in.
    await db.schema
      .createIndex('invitations_of_email')
      .on('invitations')
      .columns(['email_key', 'created_at_ms', 'id'])
      .execute();
  },
};
