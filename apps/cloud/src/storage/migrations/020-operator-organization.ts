import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Records the operator's organization, until now the oldest one. After it is deleted, no other organization
 * must become the operator's.
 */
export const operatorOrganization: Migration = {
  name: 'operator-organization',
  async up(db) {
    await db.schema
      .alterTable('organizations')
      .addColumn('is_operator', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update organizations set is_operator = 1
      where id = (select id from organizations order by created_at_ms, id limit 1)`.execute(db);
    await db.schema
      .createIndex('organizations_one_operator')
      .unique()
      .on('organizations')
      .column('is_operator')
      .where(sql<boolean>`is_operator = 1`)
      .execute();
  },
};
