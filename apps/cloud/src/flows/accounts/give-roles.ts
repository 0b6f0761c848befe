import type {
  GivenSource,
  JsonObject,
  MemberRoles,
  ProjectRoleName,
  Repositories,
  Role,
  RoleMapping,
} from '../../storage/storage.ts';

/** Strongest first. */
const ROLES = ['owner', 'admin', 'member', 'auditor', 'viewer'] as const satisfies readonly Role[];

/** The roles that the groups of a person, or the claim of their sign-in, give. */
export interface GivenRoles {
  /** null: none in the organization. */
  readonly role: Role | null;
  readonly inProjects: ReadonlyMap<string, ProjectRoleName>;
}

type RoleRepositories = Pick<Repositories, 'roleMap' | 'members' | 'audit'>;

export interface RoleGiver {
  readonly organizationId: string;
  readonly actor: string;
  /** Added to the audit rows. */
  readonly data: JsonObject;
}

/** Returns what the mappings give together: the strongest role of each place. */
export function joinMappings(mappings: readonly RoleMapping[]): GivenRoles {
  const inProjects = new Map<string, ProjectRoleName>();
  for (const { projectId, role } of mappings) {
    if (projectId === null || (role !== 'admin' && role !== 'member')) continue;
    if (inProjects.get(projectId) !== 'admin') inProjects.set(projectId, role);
  }
  const roles = mappings.filter(({ projectId }) => projectId === null).map(({ role }) => role);
  return { role: strongestRole(roles), inProjects };
}

function strongestRole(roles: readonly (Role | null)[]): Role | null {
  return ROLES.find((role) => roles.includes(role)) ?? null;
}

/**
 * Replaces the roles that the members have from one source. Of a claim and of groups the stronger role applies, and
 * without either the assigned one. Owners keep theirs. The caller has locked the organization.
 */
export async function giveRoles(
  repositories: RoleRepositories,
  giver: RoleGiver,
  source: GivenSource,
  given: ReadonlyMap<string, GivenRoles>,
): Promise<void> {
  const { organizationId } = giver;
  const all = await repositories.roleMap.listMemberRoles(organizationId, [...given.keys()]);
  const members = all.filter(({ role }) => role !== 'owner');
  const changed = members
    .map((member) => ({ member, next: nextRoles(member, source, given.get(member.userId)?.role ?? null) }))
    .filter(({ member, next }) => keyOf(member) !== keyOf(next));
  for (const alike of Map.groupBy(changed, ({ next }) => keyOf(next)).values()) {
    const userIds = alike.map(({ member }) => member.userId);
    await repositories.roleMap.setMemberRoles(organizationId, userIds, alike[0]!.next);
  }
  await repositories.audit.appendAll(
    changed
      .filter(({ member, next }) => member.role !== next.role)
      .map(({ member, next }) => ({
        ...{ organizationId, kind: 'member_role_changed', actor: giver.actor, subject: member.userId },
        data: { was: member.role, role: next.role, ...giver.data },
      })),
  );
  await giveProjectRoles(
    repositories,
    giver,
    source,
    new Map(members.map(({ userId }) => [userId, given.get(userId)!.inProjects])),
  );
}

/** Also called with roles that did not change in the organization. */
function nextRoles(member: MemberRoles, source: GivenSource, role: Role | null): Omit<MemberRoles, 'userId'> {
  const ownRole = member.ownRole ?? member.role;
  const claimRole = source === 'claim' ? role : member.claimRole;
  const groupRole = source === 'groups' ? role : member.groupRole;
  const strongest = strongestRole([claimRole, groupRole]);
  return { role: strongest ?? ownRole, ownRole: strongest === null ? null : ownRole, claimRole, groupRole };
}

const keyOf = ({ role, ownRole, claimRole, groupRole }: Omit<MemberRoles, 'userId'>): string =>
  [role, ownRole, claimRole, groupRole].join();

async function giveProjectRoles(
  { members, audit }: RoleRepositories,
  { organizationId, actor, data }: RoleGiver,
  source: GivenSource,
  given: ReadonlyMap<string, ReadonlyMap<string, ProjectRoleName>>,
): Promise<void> {
  const [onlyId, ...others] = given.keys();
  if (onlyId === undefined) return;
  const of = others.length === 0 ? { userId: onlyId } : {};
  const held = (await members.listProjectRoles(organizationId, of)).filter(
    (one) => one.source === source && given.has(one.userId),
  );
  const heldBy = Map.groupBy(held, ({ userId }) => userId);
  const changes = [...given].flatMap(([userId, inProjects]) => {
    const was = new Map(heldBy.get(userId)?.map(({ projectId, role }) => [projectId, role]));
    return [...new Set([...was.keys(), ...inProjects.keys()])]
      .map((projectId) => ({
        ...{ userId, projectId, was: was.get(projectId) ?? null, role: inProjects.get(projectId) ?? null },
      }))
      .filter((change) => change.was !== change.role);
  });
  const ended = Map.groupBy(
    changes.filter(({ role }) => role === null),
    ({ projectId }) => projectId,
  );
  for (const [projectId, people] of ended) {
    const userIds = people.map(({ userId }) => userId);
    await members.removeProjectRoles(organizationId, projectId, userIds, source);
  }
  await members.setProjectRoles(
    changes.flatMap(({ userId, projectId, role }) =>
      role === null ? [] : [{ organizationId, projectId, userId, source, role, givenBy: actor }],
    ),
  );
  await audit.appendAll(
    changes.map(({ userId, projectId, was, role }) => ({
      ...{ organizationId, kind: 'project_role_changed', actor, subject: userId },
      data: { project_id: projectId, was, role, ...data },
    })),
  );
}
