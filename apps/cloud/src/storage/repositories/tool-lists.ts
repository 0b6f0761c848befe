import type { ToolLists } from '@csg/shared/contract';
import type { ToolListStore } from '../model/agents.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createToolLists({ db, now }: RepositoryDeps): ToolListStore {
  return {
    async get(organizationId, projectId) {
      const row = await db
        .selectFrom('tool_lists')
        .select('lists')
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row === undefined ? null : (JSON.parse(row.lists) as ToolLists);
    },
    async set(organizationId, projectId, lists) {
      const columns = { lists: toStorableText(JSON.stringify(lists)), updated_at_ms: now() };
      await db
        .insertInto('tool_lists')
        .values({ organization_id: organizationId, project_id: projectId, ...columns })
        .onConflict((conflict) =>
          conflict
            .column('project_id')
            .doUpdateSet(columns)
            .where('tool_lists.organization_id', '=', organizationId),
        )
        .execute();
    },
  };
}
