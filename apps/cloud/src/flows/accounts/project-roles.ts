import { CodedError, type ProjectRoleRecord } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Member, ProjectRole, ProjectRoleName, Repositories, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';

/** Lists members with a role in the project besides that in the organization, oldest first. Throws `not_found`. */
export async function listProjectRoles(
  { storage }: { readonly storage: Pick<Storage, 'members' | 'projects'> },
  organizationId: string,
  projectId: string,
): Promise<ProjectRoleRecord[]> {
  await findProject(storage, { organizationId }, projectId);
  const [roles, members] = await Promise.all([
    storage.members.listProjectRoles(organizationId, { projectId }),
    storage.members.list(organizationId),
  ]);
  const byId = new Map(members.map((member) => [member.userId, member]));
  return roles.flatMap((role) => {
    const member = byId.get(role.userId);
    return member === undefined ? [] : [recordOf(role, member, byId.get(role.givenBy))];
  });
}

function recordOf(role: ProjectRole, member: Member, giver: Member | undefined): ProjectRoleRecord {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: role.role,
    source: role.source,
    organization_role: member.role,
    given_by: giver === undefined ? null : (giver.name ?? giver.email),
    given_at: isoTime(role.givenAtMs),
  };
}

/**
 * Gives a member a role in one project, or changes it. Admins of the project may do so, too. Throws `not_found`, and
 * `invalid_state` for owners and admins of the organization, who are admins of every project.
 */
export async function setProjectRole(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  projectId: string,
  userId: string,
  role: ProjectRoleName,
): Promise<void> {
  const { organizationId } = admin;
  await deps.storage.transaction(async (repositories) => {
    const was = await lockMember(repositories, admin, projectId, userId);
    if (was.member.role === 'owner' || was.member.role === 'admin') {
      throw new CodedError('invalid_state', {
        message: 'Owners and admins of the organization are admins of every project.',
      });
    }
    const givenBy = admin.userId ?? admin.id;
    await repositories.members.setProjectRoles([
      { organizationId, projectId, userId, source: 'assigned', role, givenBy },
    ]);
    await repositories.audit.append({
      ...{ organizationId, kind: 'project_role_changed', actor: admin.id, subject: userId },
      data: { project_id: projectId, was: was.role, role },
    });
  });
}

/** Removes the role in the project; the role in the organization stays. Throws `not_found`. */
export async function removeProjectRole(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  projectId: string,
  userId: string,
): Promise<void> {
  const { organizationId } = admin;
  await deps.storage.transaction(async (repositories) => {
    const { role } = await lockMember(repositories, admin, projectId, userId);
    const { members } = repositories;
    if ((await members.removeProjectRoles(organizationId, projectId, [userId], 'assigned')) === 0) {
      throw new CodedError('not_found', {
        message:
          'No person assigned this member a role in this project. Roles of groups and of single sign-on end there.',
      });
    }
    await repositories.audit.append({
      ...{ organizationId, kind: 'project_role_changed', actor: admin.id, subject: userId },
      data: { project_id: projectId, was: role, role: null },
    });
  });
}

/** Locks the member, so that a concurrent removal waits. */
async function lockMember(
  repositories: Pick<Repositories, 'members' | 'projects'>,
  admin: Admin,
  projectId: string,
  userId: string,
): Promise<{ readonly member: Member; readonly role: ProjectRoleName | null }> {
  const { organizationId } = admin;
  await requireRole({ storage: repositories }, admin, 'admin', { projectId });
  await findProject(repositories, admin, projectId);
  const member = await repositories.members.lock(organizationId, userId);
  if (member === null) throw new CodedError('not_found', { message: 'No such member.' });
  return { member, role: await repositories.members.getProjectRole(organizationId, userId, projectId) };
}
