import type { Migration } from './migration.ts';

/** Groups of an organization's directory, the roles that they give, and where each member's role comes from. */
export const directoryGroups: Migration = {
  name: 'directory-groups',
  async up(db) {
    await db.schema
      .createTable('directory_groups')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('external_id', 'text')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('directory_groups_name', ['organization_id', 'name_key'])
      .addUniqueConstraint('directory_groups_external', ['organization_id', 'external_id'])
      .execute();
    await db.schema
      .createIndex('directory_groups_oldest')
      .on('directory_groups')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createTable('directory_group_members')
      .addColumn('group_id', 'text', (c) => c.notNull().references('directory_groups.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('directory_group_members_pk', ['group_id', 'user_id'])
      .addForeignKeyConstraint(
        'directory_group_members_user',
        ['organization_id', 'user_id'],
        'directory_users',
        ['organization_id', 'user_id'],
        (c) => c.onDelete('cascade'),
      )
      .execute();
    await db.schema
      .createIndex('directory_group_members_of_user')
      .on('directory_group_members')
      .columns(['organization_id', 'user_id'])
      .execute();
    await db.schema
      .createTable('role_mappings')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('group_value', 'text', (c) => c.notNull())
      .addColumn('by_name', 'integer', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('role_mappings_pk', ['organization_id', 'position'])
      .execute();
    await db.schema.createIndex('role_mappings_project').on('role_mappings').column('project_id').execute();
    for (const column of ['own_role', 'claim_role', 'group_role']) {
      await db.schema.alterTable('members').addColumn(column, 'text').execute();
    }
    await rebuildProjectRoles(db);
  },
};

/** A member can have a role in a project from several sources: the key of the table has one more column. */
async function rebuildProjectRoles(db: Parameters<Migration['up']>[0]): Promise<void> {
  const columns = ['organization_id', 'project_id', 'user_id', 'role', 'given_by', 'given_at_ms'];
  await db.schema.dropIndex('project_roles_of_member').execute();
  await db.schema.alterTable('project_roles').renameTo('former_project_roles').execute();
  await db.schema
    .createTable('project_roles')
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull().defaultTo('assigned'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('given_by', 'text', (c) => c.notNull())
    .addColumn('given_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_roles_by_source_pk', ['project_id', 'user_id', 'source'])
    .addForeignKeyConstraint(
      'project_roles_of_members',
      ['organization_id', 'user_id'],
      'members',
      ['organization_id', 'user_id'],
      (c) => c.onDelete('cascade'),
    )
    .execute();
  await db
    .insertInto('project_roles')
    .columns(columns as never)
    .expression(db.selectFrom('former_project_roles').select(columns as never) as never)
    .execute();
  await db.schema.dropTable('former_project_roles').execute();
  await db.schema
    .createIndex('project_roles_of_member')
    .on('project_roles')
    .columns(['organization_id', 'user_id'])
    .execute();
}
