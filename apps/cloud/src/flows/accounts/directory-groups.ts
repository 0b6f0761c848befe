import { CodedError } from '@csg/shared/contract';
import type { DirectoryGroup, Repositories, Storage } from '../../storage/storage.ts';
import type { DirectoryCaller } from './directory-users.ts';
import { applyGroupRoles, mapsGroup } from './group-roles.ts';

export interface DirectoryGroupDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}

/** One step of a change of members. `null`: all of them. */
export type MemberStep =
  | { readonly kind: 'add' | 'replace'; readonly userIds: readonly string[] }
  | { readonly kind: 'remove'; readonly userIds: readonly string[] | null };

/** Omitted fields are unchanged. */
export interface GroupChange {
  readonly displayName?: string;
  readonly externalId?: string | null;
  readonly members: readonly MemberStep[];
}

/** Rejects with `conflict` if the organization has a group of that name or external id. */
export async function createGroup(
  deps: DirectoryGroupDeps,
  { organizationId, id: actor }: DirectoryCaller,
  { displayName, externalId = null, members }: GroupChange & { readonly displayName: string },
): Promise<DirectoryGroup> {
  return await deps.storage.transaction(async (repositories) => {
    await repositories.organizations.lock(organizationId);
    const group = await repositories.directoryGroups.create(organizationId, { displayName, externalId });
    const changed = await changeMembers(repositories, group, members);
    await repositories.audit.append({
      ...{ organizationId, kind: 'directory_group_created', actor, subject: group.id },
      data: { members: changed.added.size },
    });
    await applyIfMapped(repositories, actor, [group], [...changed.added]);
    return group;
  });
}

/** Names, ids and members of a group. People whose roles depend on it get them in the same transaction. */
export async function changeGroup(
  deps: DirectoryGroupDeps,
  { organizationId, id: actor }: DirectoryCaller,
  groupId: string,
  { members, ...change }: GroupChange,
): Promise<DirectoryGroup> {
  return await deps.storage.transaction(async (repositories) => {
    await repositories.organizations.lock(organizationId);
    const { directoryGroups } = repositories;
    const before = await directoryGroups.get(organizationId, groupId);
    if (before === null) throw unknownGroup();
    const isRenamed =
      (change.displayName ?? before.displayName) !== before.displayName ||
      (change.externalId === undefined ? before.externalId : change.externalId) !== before.externalId;
    const changed = await changeMembers(repositories, before, members);
    const isChanged = changed.added.size + changed.removed.size > 0;
    if (!isRenamed && !isChanged) return before;
    await directoryGroups.update(organizationId, groupId, change);
    const after = (await directoryGroups.get(organizationId, groupId))!;
    await repositories.audit.append({
      ...{ organizationId, kind: 'directory_group_changed', actor, subject: groupId },
      data: { renamed: isRenamed, added: changed.added.size, removed: changed.removed.size },
    });
    const concerned = [...changed.added, ...changed.removed];
    if (isRenamed) concerned.push(...(await memberIds(repositories, before)));
    await applyIfMapped(repositories, actor, [before, after], concerned);
    return after;
  });
}

/** Its members keep their accounts and memberships, without the roles that the group gave. */
export async function removeGroup(
  deps: DirectoryGroupDeps,
  { organizationId, id: actor }: DirectoryCaller,
  groupId: string,
): Promise<void> {
  await deps.storage.transaction(async (repositories) => {
    await repositories.organizations.lock(organizationId);
    const group = await repositories.directoryGroups.get(organizationId, groupId);
    if (group === null) throw unknownGroup();
    const members = await memberIds(repositories, group);
    await repositories.directoryGroups.remove(organizationId, groupId);
    await repositories.audit.append({
      ...{ organizationId, kind: 'directory_group_removed', actor, subject: groupId },
      data: { members: members.length },
    });
    await applyIfMapped(repositories, actor, [group], members);
  });
}

export function unknownGroup(): CodedError {
  return new CodedError('not_found', { message: 'No such group.' });
}

type GroupRepositories = Pick<
  Repositories,
  'directoryGroups' | 'roleMap' | 'members' | 'organizations' | 'audit'
>;

/** Most groups of a directory give no role: their changes cost nothing more. */
async function applyIfMapped(
  repositories: GroupRepositories,
  actor: string,
  states: readonly DirectoryGroup[],
  userIds: readonly string[],
): Promise<void> {
  const { organizationId } = states[0]!;
  const map = await repositories.roleMap.list(organizationId);
  if (!map.some((mapping) => states.some((group) => mapsGroup(mapping, group)))) return;
  await applyGroupRoles(repositories, { organizationId, actor }, [...new Set(userIds)]);
}

async function memberIds(
  { directoryGroups }: Pick<Repositories, 'directoryGroups'>,
  { organizationId, id }: DirectoryGroup,
): Promise<string[]> {
  return (await directoryGroups.listMembers(organizationId, [id])).map(({ userId }) => userId);
}

/** Carries the steps out in order, and returns whom they added and removed together. */
async function changeMembers(
  repositories: Pick<Repositories, 'directoryGroups'>,
  group: DirectoryGroup,
  steps: readonly MemberStep[],
): Promise<{ readonly added: Set<string>; readonly removed: Set<string> }> {
  const { organizationId, id } = group;
  const { directoryGroups } = repositories;
  const isWhole = steps.some(({ kind, userIds }) => kind === 'replace' || userIds === null);
  const named = [...new Set(steps.flatMap(({ userIds }) => userIds ?? []))];
  const before = new Set(
    isWhole
      ? await memberIds(repositories, group)
      : (await directoryGroups.listGroupsOf(organizationId, [id], named)).map(({ userId }) => userId),
  );
  const after = new Set(before);
  for (const { kind, userIds } of steps) {
    if (kind === 'replace' || userIds === null) after.clear();
    for (const userId of userIds ?? []) {
      if (kind === 'remove') after.delete(userId);
      else after.add(userId);
    }
  }
  const added = new Set([...after].filter((userId) => !before.has(userId)));
  const removed = new Set([...before].filter((userId) => !after.has(userId)));
  await requireUsers(repositories, organizationId, [...added]);
  await directoryGroups.removeMembers(organizationId, id, [...removed]);
  await directoryGroups.addMembers(organizationId, id, [...added]);
  return { added, removed };
}

async function requireUsers(
  { directoryGroups }: Pick<Repositories, 'directoryGroups'>,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  const known = await directoryGroups.findUsers(organizationId, userIds);
  const missing = userIds.find((userId) => !known.has(userId));
  if (missing === undefined) return;
  throw new CodedError('invalid_request', {
    message: `"members" names "${missing.slice(0, 64)}", which is no id of a user here. Create the user first.`,
    fields: { scimType: 'invalidValue' },
  });
}
