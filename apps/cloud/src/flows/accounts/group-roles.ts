import type { DirectoryGroup, Repositories, RoleMapping } from '../../storage/storage.ts';
import { giveRoles, joinMappings, type RoleGiver } from './give-roles.ts';

type GroupRoleRepositories = Pick<
  Repositories,
  'directoryGroups' | 'roleMap' | 'members' | 'organizations' | 'audit'
>;

/** Names can be given to any group by those who manage the directory: they count only if an admin confirmed them. */
export function mapsGroup(
  { groupValue, byName }: RoleMapping,
  { id, externalId, displayName }: Pick<DirectoryGroup, 'id' | 'externalId' | 'displayName'>,
): boolean {
  return groupValue === id || groupValue === externalId || (byName && groupValue === displayName);
}

/** The groups that the map gives roles to, by id. */
async function findMapped(
  { directoryGroups, roleMap }: Pick<Repositories, 'directoryGroups' | 'roleMap'>,
  organizationId: string,
): Promise<ReadonlyMap<string, { readonly name: string; readonly mappings: readonly RoleMapping[] }>> {
  const map = await roleMap.list(organizationId);
  const named = await directoryGroups.findNamed(
    organizationId,
    map.map(({ groupValue }) => groupValue),
  );
  return new Map(
    named
      .map((group) => ({ group, mappings: map.filter((mapping) => mapsGroup(mapping, group)) }))
      .filter(({ mappings }) => mappings.length > 0)
      .map(({ group: { id, displayName }, mappings }) => [id, { name: displayName, mappings }]),
  );
}

/** Returns the names of the groups that give each of these people roles. */
export async function listRoleGroups(
  repositories: Pick<Repositories, 'directoryGroups' | 'roleMap'>,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const mapped = await findMapped(repositories, organizationId);
  if (mapped.size === 0) return new Map();
  const { directoryGroups } = repositories;
  const memberships = await directoryGroups.listGroupsOf(organizationId, [...mapped.keys()], userIds);
  const names = new Map<string, string[]>();
  for (const { userId, groupId } of memberships) {
    const of = names.get(userId) ?? [];
    names.set(userId, [...of, mapped.get(groupId)!.name]);
  }
  return names;
}

/**
 * Gives people the roles of their groups, after a change of either, or of the map. `all`: everyone who has such a role
 * or should have one. People who are no members get theirs once they are.
 */
export async function applyGroupRoles(
  repositories: GroupRoleRepositories,
  giver: Omit<RoleGiver, 'data'>,
  userIds: readonly string[] | 'all',
): Promise<void> {
  const { organizationId } = giver;
  const { directoryGroups, roleMap, organizations } = repositories;
  await organizations.lock(organizationId);
  const mapped = await findMapped(repositories, organizationId);
  const groupIds = [...mapped.keys()];
  const memberships =
    userIds === 'all'
      ? await directoryGroups.listMembers(organizationId, groupIds)
      : await directoryGroups.listGroupsOf(organizationId, groupIds, userIds);
  const concerned =
    userIds === 'all'
      ? [
          ...memberships.map(({ userId }) => userId),
          ...(await roleMap.listMembersBySource(organizationId, 'groups')),
        ]
      : userIds;
  const groupsOf = Map.groupBy(memberships, ({ userId }) => userId);
  const given = new Map(
    [...new Set(concerned)].map((userId) => [
      userId,
      joinMappings(
        (groupsOf.get(userId) ?? []).flatMap(({ groupId }) => mapped.get(groupId)?.mappings ?? []),
      ),
    ]),
  );
  await giveRoles(repositories, { ...giver, data: { source: 'groups' } }, 'groups', given);
}
