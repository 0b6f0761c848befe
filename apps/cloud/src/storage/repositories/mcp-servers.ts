import type { McpServer, McpServers } from '../model/mcp-servers.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createMcpServers({ db, vault, now }: RepositoryDeps): McpServers {
  const select = (organizationId: string, projectId: string) =>
    db
      .selectFrom('mcp_servers')
      .innerJoin('projects', 'projects.id', 'mcp_servers.project_id')
      .select(['mcp_servers.name', 'mcp_servers.sealed'])
      .where('projects.organization_id', '=', organizationId)
      .where('mcp_servers.project_id', '=', projectId);
  const open = (projectId: string, { name, sealed }: { name: string; sealed: Buffer }): McpServer => ({
    name,
    ...(JSON.parse(vault.open(sealed, SEAL_CONTEXTS.mcpServer(projectId, name))) as Omit<McpServer, 'name'>),
  });
  return {
    async list(organizationId, projectId) {
      const rows = await select(organizationId, projectId).orderBy('mcp_servers.name').execute();
      return rows.map((row) => open(projectId, row));
    },
    async find(organizationId, projectId, name) {
      const row = await select(organizationId, projectId)
        .where('mcp_servers.name', '=', name)
        .executeTakeFirst();
      return row === undefined ? null : open(projectId, row);
    },
    async put(projectId, { name, url, headers }) {
      const values = {
        sealed: vault.seal(JSON.stringify({ url, headers }), SEAL_CONTEXTS.mcpServer(projectId, name)),
        created_at_ms: now(),
      };
      await db
        .insertInto('mcp_servers')
        .values({ project_id: projectId, name, ...values })
        .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet(values))
        .execute();
    },
    async remove(organizationId, projectId, name) {
      if (
        (await select(organizationId, projectId).where('mcp_servers.name', '=', name).execute()).length === 0
      )
        return false;
      await db
        .deleteFrom('mcp_tools')
        .where('project_id', '=', projectId)
        .where('server', '=', name)
        .execute();
      const { numDeletedRows } = await db
        .deleteFrom('mcp_servers')
        .where('project_id', '=', projectId)
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
