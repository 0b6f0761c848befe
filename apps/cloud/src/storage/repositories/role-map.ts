import { type RoleMap, roleMappingTable } from '../model/directory-groups.ts';
import { toFlag, toStorableText } from '../stored-values.ts';
import { inChunks } from './in-chunks.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createRoleMap({ db }: RepositoryDeps): RoleMap {
  return {
    async list(organizationId) {
      const rows = await db
        .selectFrom('role_mappings')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('position')
        .execute();
      return rows.map(roleMappingTable.read);
    },
    async replace(organizationId, mappings) {
      await db.deleteFrom('role_mappings').where('organization_id', '=', organizationId).execute();
      if (mappings.length === 0) return;
      const rows = mappings.map(({ groupValue, byName, role, projectId }, position) => ({
        organization_id: organizationId,
        position,
        group_value: toStorableText(groupValue),
        by_name: toFlag(byName),
        role,
        project_id: projectId,
      }));
      await db.insertInto('role_mappings').values(rows).execute();
    },
    async listMemberRoles(organizationId, userIds) {
      return await inChunks(userIds, (some) =>
        db
          .selectFrom('members')
          .select(['user_id as userId', 'role', 'own_role as ownRole'])
          .select(['claim_role as claimRole', 'group_role as groupRole'])
          .where('organization_id', '=', organizationId)
          .where('user_id', 'in', some)
          .execute(),
      );
    },
    async listMembersBySource(organizationId, source) {
      const members = await db
        .selectFrom('members')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .where(source === 'claim' ? 'claim_role' : 'group_role', 'is not', null)
        .execute();
      const inProjects = await db
        .selectFrom('project_roles')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .where('source', '=', source)
        .execute();
      return [...new Set([...members, ...inProjects].map(({ user_id }) => user_id))];
    },
    async setMemberRoles(organizationId, userIds, { role, ownRole, claimRole, groupRole }) {
      await inChunks(userIds, async (some) => {
        await db
          .updateTable('members')
          .set({ role, own_role: ownRole, claim_role: claimRole, group_role: groupRole })
          .where('organization_id', '=', organizationId)
          .where('user_id', 'in', some)
          .execute();
        return [];
      });
    },
    async keepClaimRoles(organizationId) {
      await db
        .updateTable('members')
        .set((q) => ({ own_role: q.ref('claim_role'), claim_role: null }))
        .where('organization_id', '=', organizationId)
        .where('claim_role', 'is not', null)
        .execute();
    },
  };
}
