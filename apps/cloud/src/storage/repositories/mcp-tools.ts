import { type McpTools, mcpToolTable } from '../model/mcp-servers.ts';
import { toFlag } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createMcpTools({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): McpTools {
  const update = (projectId: string, server: string, name: string) =>
    db
      .updateTable('mcp_tools')
      .where('project_id', '=', projectId)
      .where('server', '=', server)
      .where('name', '=', name);
  return {
    async list(organizationId, projectId, server) {
      const rows = await db
        .selectFrom('mcp_tools')
        .innerJoin('projects', 'projects.id', 'mcp_tools.project_id')
        .selectAll('mcp_tools')
        .where('projects.organization_id', '=', organizationId)
        .where('mcp_tools.project_id', '=', projectId)
        .$if(server !== undefined, (query) => query.where('mcp_tools.server', '=', server!))
        .orderBy('mcp_tools.server')
        .orderBy('mcp_tools.name')
        .execute();
      return rows.map(mcpToolTable.read);
    },
    async pin(projectId, server, name, { definition, isClosedWorld }) {
      const row = {
        ...{ project_id: projectId, server, name, pinned: definition, proposed: null, denied: null },
        is_closed_world: toFlag(isClosedWorld),
        changed_at_ms: now(),
      };
      await db
        .insertInto('mcp_tools')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async propose(projectId, server, name, proposed) {
      const changed = { proposed, changed_at_ms: now() };
      const row = { project_id: projectId, server, name, pinned: null, denied: null, is_closed_world: 0 };
      await db
        .insertInto('mcp_tools')
        .values({ ...row, ...changed })
        .onConflict((conflict) => conflict.columns(['project_id', 'server', 'name']).doUpdateSet(changed))
        .execute();
    },
    async decide(projectId, { server, name, proposed }, approved) {
      const { numUpdatedRows } = await update(projectId, server, name)
        .where('proposed', '=', proposed)
        .set(
          approved === null
            ? { proposed: null, denied: proposed, changed_at_ms: now() }
            : {
                ...{ pinned: approved.definition, proposed: null, denied: null },
                is_closed_world: toFlag(approved.isClosedWorld),
                changed_at_ms: now(),
              },
        )
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async listClosedWorld(projectId) {
      const rows = await db
        .selectFrom('mcp_tools')
        .select('name')
        .distinct()
        .where('project_id', '=', projectId)
        .where('is_closed_world', '=', 1)
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}
