import type { Migration } from './migration.ts';

/** Roles of members in single projects. Deleted with the membership and with the project. */
export const projectRoles: Migration = {
  name: 'project-roles',
  async up(db) {
    await db.schema
      .createTable('project_roles')
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('given_by', 'text', (c) => c.notNull())
      .addColumn('given_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('project_roles_pk', ['project_id', 'user_id'])
      .addForeignKeyConstraint(
        'project_roles_member',
        ['organization_id', 'user_id'],
        'members',
        ['organization_id', 'user_id'],
        (c) => c.onDelete('cascade'),
      )
      .execute();
    await db.schema
      .createIndex('project_roles_of_member')
      .on('project_roles')
      .columns(['organization_id', 'user_id'])
      .execute();
  },
};
