import type { Migration } from './migration.ts';

/** Which addresses of an identity provider count. */
export const emailTrust: Migration = {
  name: 'email-trust',
  async up(db) {
    await db.schema
      .alterTable('sso_providers')
      .addColumn('email_trust', 'text', (c) => c.notNull().defaultTo('verified'))
      .execute();
  },
};
