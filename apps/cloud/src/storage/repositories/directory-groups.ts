import { newId } from '../ids.ts';
import { type DirectoryGroups, directoryGroupTable } from '../model/directory-groups.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { inChunks } from './in-chunks.ts';
import { omitUndefined, type RepositoryDeps, withConflictCode } from './repository-deps.ts';

const DUPLICATE = 'The organization already has a group with this displayName or externalId.';
const nameKey = (name: string): string => toStorableText(name).toLowerCase();

export function createDirectoryGroups(deps: RepositoryDeps): DirectoryGroups {
  return { ...groups(deps), ...groupMembers(deps) };
}

function groups({
  db,
  now,
}: RepositoryDeps): Pick<DirectoryGroups, 'create' | 'get' | 'list' | 'findNamed' | 'update' | 'remove'> {
  const select = (organizationId: string) =>
    db.selectFrom('directory_groups').where('organization_id', '=', organizationId);
  return {
    async create(organizationId, { displayName, externalId }) {
      const atMs = now();
      const row = {
        id: newId('dgrp'),
        organization_id: organizationId,
        display_name: toStorableText(displayName),
        name_key: nameKey(displayName),
        external_id: toStorableTextOrNull(externalId),
        created_at_ms: atMs,
        updated_at_ms: atMs,
      };
      await withConflictCode('conflict', DUPLICATE, db.insertInto('directory_groups').values(row).execute());
      return directoryGroupTable.read(row);
    },
    async get(organizationId, groupId) {
      const row = await select(organizationId).selectAll().where('id', '=', groupId).executeTakeFirst();
      return directoryGroupTable.readOrNull(row);
    },
    async list(organizationId, { offset, limit, id, displayName, externalId, userId }) {
      let query = select(organizationId);
      if (id !== undefined) query = query.where('id', '=', id);
      if (displayName !== undefined) query = query.where('name_key', '=', nameKey(displayName));
      if (externalId !== undefined) query = query.where('external_id', '=', toStorableText(externalId));
      if (userId !== undefined) {
        // Read first: SQLite would begin with the groups of the organization.
        const own = await db
          .selectFrom('directory_group_members')
          .select('group_id')
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .execute();
        if (own.length === 0) return { total: 0, groups: [] };
        query = query.where(
          'id',
          'in',
          own.map(({ group_id }) => group_id),
        );
      }
      const { total } = await query
        .select((q) => q.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await query
        .selectAll()
        .orderBy('created_at_ms')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total, groups: rows.map(directoryGroupTable.read) };
    },
    async findNamed(organizationId, values) {
      // One for each index: with all conditions in one statement SQLite would read every group.
      const find = (column: 'external_id' | 'name_key', keys: readonly string[]) =>
        inChunks(keys, (some) => select(organizationId).selectAll().where(column, 'in', some).execute());
      const byId = await inChunks(values, (some) =>
        db.selectFrom('directory_groups').selectAll().where('id', 'in', some).execute(),
      );
      const rows = [
        ...byId.filter((row) => row.organization_id === organizationId),
        ...(await find('external_id', values.map(toStorableText))),
        ...(await find('name_key', values.map(nameKey))),
      ];
      return [...new Map(rows.map((row) => [row.id, directoryGroupTable.read(row)])).values()];
    },
    async update(organizationId, groupId, { displayName, externalId }) {
      const changes = omitUndefined({
        display_name: displayName === undefined ? undefined : toStorableText(displayName),
        name_key: displayName === undefined ? undefined : nameKey(displayName),
        external_id: externalId === undefined ? undefined : toStorableTextOrNull(externalId),
      });
      const write = db
        .updateTable('directory_groups')
        .set({ ...changes, updated_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', groupId)
        .execute();
      await withConflictCode('conflict', DUPLICATE, write);
    },
    async remove(organizationId, groupId) {
      await db
        .deleteFrom('directory_groups')
        .where('organization_id', '=', organizationId)
        .where('id', '=', groupId)
        .execute();
    },
  };
}

function groupMembers({
  db,
  now,
}: RepositoryDeps): Pick<
  DirectoryGroups,
  'listMembers' | 'countMembers' | 'findUsers' | 'addMembers' | 'removeMembers' | 'listGroupsOf'
> {
  return {
    async listMembers(organizationId, groupIds) {
      const all = await inChunks(groupIds, (some) =>
        db
          .selectFrom('directory_group_members')
          .selectAll()
          .where('group_id', 'in', some)
          .orderBy('group_id')
          .orderBy('user_id')
          .execute(),
      );
      const rows = all.filter(({ organization_id: id }) => id === organizationId);
      const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
      const users = await inChunks(userIds, (some) =>
        db.selectFrom('users').select(['id', 'email']).where('id', 'in', some).execute(),
      );
      const emails = new Map(users.map(({ id, email }) => [id, email]));
      return rows.map(({ group_id, user_id }) => ({
        ...{ groupId: group_id, userId: user_id, email: emails.get(user_id) ?? '' },
      }));
    },
    async countMembers(organizationId, groupIds) {
      const rows = await inChunks(groupIds, (some) =>
        db
          .selectFrom('directory_group_members')
          .select(['organization_id', 'group_id', (q) => q.fn.countAll<number>().as('count')])
          .where('group_id', 'in', some)
          .groupBy(['organization_id', 'group_id'])
          .execute(),
      );
      const own = rows.filter(({ organization_id: id }) => id === organizationId);
      return new Map(own.map(({ group_id, count }) => [group_id, count]));
    },
    async findUsers(organizationId, userIds) {
      const find = (table: 'members' | 'directory_users') =>
        inChunks(userIds, (some) =>
          db
            .selectFrom(table)
            .select('user_id')
            .where('organization_id', '=', organizationId)
            .where('user_id', 'in', some)
            .execute(),
        );
      const rows = [...(await find('members')), ...(await find('directory_users'))];
      return new Set(rows.map(({ user_id }) => user_id));
    },
    async addMembers(organizationId, groupId, userIds) {
      const atMs = now();
      const key = (user_id: string) => ({ organization_id: organizationId, user_id });
      await inChunks(userIds, async (some) => {
        // Members who came in another way have no entry of the directory yet.
        const entry = { external_id: null, given_name: null, family_name: null, made_account: 0 };
        const times = { created_at_ms: atMs, updated_at_ms: atMs };
        await db
          .insertInto('directory_users')
          .values(some.map((userId) => ({ ...key(userId), ...entry, ...times })))
          .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
          .execute();
        await db
          .insertInto('directory_group_members')
          .values(some.map((userId) => ({ group_id: groupId, ...key(userId) })))
          .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doNothing())
          .execute();
        return [];
      });
    },
    async removeMembers(organizationId, groupId, userIds) {
      await inChunks(userIds, async (some) => {
        await db
          .deleteFrom('directory_group_members')
          .where('group_id', '=', groupId)
          .where('organization_id', '=', organizationId)
          .where('user_id', 'in', some)
          .execute();
        return [];
      });
    },
    async listGroupsOf(organizationId, groupIds, userIds) {
      const mapped = new Set(groupIds);
      const rows = await inChunks(userIds, (some) =>
        db
          .selectFrom('directory_group_members')
          .select(['group_id as groupId', 'user_id as userId'])
          .where('organization_id', '=', organizationId)
          .where('user_id', 'in', some)
          .execute(),
      );
      return rows.filter(({ groupId }) => mapped.has(groupId));
    },
  };
}
