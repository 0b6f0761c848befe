import { type RoleMapRequest, ValidationError, type ValidationIssue } from '@csg/shared/contract';
import type { Repositories, RoleMapping } from '../../storage/storage.ts';
import { applyGroupRoles } from './group-roles.ts';

type RoleMapRepositories = Pick<
  Repositories,
  'directoryGroups' | 'roleMap' | 'members' | 'organizations' | 'projects' | 'audit'
>;

/**
 * Replaces the map. Members of the directory's groups have their new roles when it returns, others from their next
 * sign-in. Throws a ValidationError for a project of another organization, a role that projects do not have, and a
 * group that is named twice for one place.
 */
export async function changeRoleMap(
  repositories: RoleMapRepositories,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  input: RoleMapRequest | undefined,
): Promise<void> {
  if (input === undefined) return;
  const map: RoleMapping[] = input.map(
    ({ group, role, project_id: projectId = null, by_name: byName = false }) => ({
      groupValue: group,
      byName,
      role,
      projectId,
    }),
  );
  await requireValid(repositories, organizationId, map);
  await repositories.organizations.lock(organizationId);
  await repositories.roleMap.replace(organizationId, map);
  await repositories.audit.append({
    ...{ organizationId, kind: 'role_map_changed', actor: userId, subject: organizationId },
    data: {
      role_map: map.map(({ groupValue, ...rest }) => ({
        group: groupValue,
        role: rest.role,
        project_id: rest.projectId,
        by_name: rest.byName,
      })),
    },
  });
  await applyGroupRoles(repositories, { organizationId, actor: userId }, 'all');
}

async function requireValid(
  { projects }: Pick<Repositories, 'projects'>,
  organizationId: string,
  map: readonly RoleMapping[],
): Promise<void> {
  const issues: ValidationIssue[] = [];
  const seen = new Set<string>();
  for (const [index, { groupValue, projectId, role }] of map.entries()) {
    const at = (field: string) => ['body', 'role_map', index, field];
    const place = JSON.stringify([groupValue, projectId]);
    if (seen.has(place)) {
      issues.push({
        loc: at('group'),
        msg: 'This group is listed twice for the same place.',
        type: 'duplicate',
      });
    }
    seen.add(place);
    if (projectId === null) continue;
    if (role !== 'admin' && role !== 'member') {
      issues.push({
        loc: at('role'),
        msg: 'In a project the role is admin or member.',
        type: 'project_role',
      });
    }
    if ((await projects.get(organizationId, projectId)) === null) {
      issues.push({ loc: at('project_id'), msg: 'No such project.', type: 'unknown_project' });
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
}
