import { type ProjectRoles, projectRoleTable } from '../model/accounts.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createProjectRoles({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): ProjectRoles {
  return {
    async getProjectRole(organizationId, userId, projectId) {
      const row = await db
        .selectFrom('project_roles')
        .select('role')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row?.role ?? null;
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
        .execute();
      return rows.map(projectRoleTable.read);
    },
    async setProjectRole({ organizationId, projectId, userId, role, givenBy }) {
      const given = { role, given_by: givenBy, given_at_ms: now() };
      await db
        .insertInto('project_roles')
        .values({ organization_id: organizationId, project_id: projectId, user_id: userId, ...given })
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet(given))
        .execute();
    },
    async removeProjectRole(organizationId, userId, projectId) {
      const { numDeletedRows } = await db
        .deleteFrom('project_roles')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
