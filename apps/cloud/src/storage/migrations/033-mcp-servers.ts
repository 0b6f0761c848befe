import type { Migration } from './migration.ts';

/** MCP servers of projects, and the tools of each server. */
export const mcpServers: Migration = {
  name: 'mcp-servers',
  async up(db, types) {
    await db.schema
      .createTable('mcp_servers')
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sealed', types.blob, (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('mcp_servers_pk', ['project_id', 'name'])
      .execute();
    await db.schema
      .createTable('mcp_tools')
      .addColumn('project_id', 'text', (c) => c.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('server', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('pinned', 'text')
      .addColumn('proposed', 'text')
      .addColumn('denied', 'text')
      .addColumn('is_closed_world', 'integer', (c) => c.notNull())
      .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('mcp_tools_pk', ['project_id', 'server', 'name'])
      .execute();
  },
};
