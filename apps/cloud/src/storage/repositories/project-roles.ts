import { type ProjectRoles, projectRoleTable } from '../model/accounts.ts';
import { inChunks } from './in-chunks.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createProjectRoles({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): ProjectRoles {
  return {
    async getProjectRole(organizationId, userId, projectId) {
      const rows = await db
        .selectFrom('project_roles')
        .select('role')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .execute();
      return rows.find(({ role }) => role === 'admin')?.role ?? rows[0]?.role ?? null;
    },
    async listProjectRoles(organizationId, { userId, projectId } = {}) {
      const rows = await db
        .selectFrom('project_roles')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
        .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId!))
        .orderBy('given_at_ms')
        .orderBy('project_id')
        .orderBy('user_id')
        .orderBy('source')
        .execute();
      return rows.map(projectRoleTable.read);
    },
    async setProjectRoles(roles) {
      const atMs = now();
      await inChunks(roles, async (some) => {
        await db
          .insertInto('project_roles')
          .values(
            some.map(({ organizationId, projectId, userId, source, role, givenBy }) => ({
              ...{ organization_id: organizationId, project_id: projectId, user_id: userId, source, role },
              ...{ given_by: givenBy, given_at_ms: atMs },
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(['project_id', 'user_id', 'source']).doUpdateSet((q) => ({
              role: q.ref('excluded.role'),
              given_by: q.ref('excluded.given_by'),
              given_at_ms: atMs,
            })),
          )
          .execute();
        return [];
      });
    },
    async removeProjectRoles(organizationId, projectId, userIds, source) {
      const removed = await inChunks(userIds, (some) =>
        db
          .deleteFrom('project_roles')
          .where('organization_id', '=', organizationId)
          .where('project_id', '=', projectId)
          .where('user_id', 'in', some)
          .where('source', '=', source)
          .returning('user_id')
          .execute(),
      );
      return removed.length;
    },
  };
}
