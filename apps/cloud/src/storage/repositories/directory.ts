import type { Selectable } from 'kysely';
import { newId, randomBase62 } from '../ids.ts';
import type { Directory, DirectoryToken, DirectoryUser } from '../model/directory.ts';
import type { Database } from '../schema.ts';
import { clean, cleanOrNull, toFlag } from '../stored-values.ts';
import { given, type RepositoryDeps } from './repository-deps.ts';
import { emailKey } from './users.ts';

/** So that a token found somewhere says what it is. */
const TOKEN_PREFIX = 'svc_scim_';
const NOTE_USE_EVERY_MS = 60_000;

export function createDirectory({ db, vault, now }: RepositoryDeps): Directory {
  const hashOf = (token: string): Buffer => vault.lookupHash(`directory:${token}`);
  const selectUsers = (organizationId: string) =>
    db
      .selectFrom('directory_users')
      .innerJoin('users', 'users.id', 'directory_users.user_id')
      .where('directory_users.organization_id', '=', organizationId);
  const get = async (organizationId: string, userId: string): Promise<DirectoryUser | null> => {
    const row = await selectUsers(organizationId)
      .where('directory_users.user_id', '=', userId)
      .selectAll('directory_users')
      .select('users.email')
      .executeTakeFirst();
    return row === undefined ? null : toUser(row);
  };

  return {
    async createToken(organizationId, { name, createdBy }) {
      const token = TOKEN_PREFIX + randomBase62(40);
      const row = {
        id: newId('dirt'),
        organization_id: organizationId,
        name: clean(name),
        token_hash: hashOf(token),
        created_by: createdBy,
        last_used_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('directory_tokens').values(row).execute();
      return { record: toToken(row), token };
    },
    async listTokens(organizationId) {
      const rows = await db
        .selectFrom('directory_tokens')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toToken);
    },
    async removeToken(organizationId, tokenId) {
      const { numDeletedRows } = await db
        .deleteFrom('directory_tokens')
        .where('organization_id', '=', organizationId)
        .where('id', '=', tokenId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async findToken(token, nowMs) {
      const row = await db
        .selectFrom('directory_tokens')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (row === undefined) return null;
      if (nowMs - (row.last_used_at_ms ?? 0) >= NOTE_USE_EVERY_MS) {
        await db
          .updateTable('directory_tokens')
          .set({ last_used_at_ms: nowMs })
          .where('id', '=', row.id)
          .execute();
      }
      return toToken(row);
    },
    async add(organizationId, userId, fields) {
      const atMs = now();
      await db
        .insertInto('directory_users')
        .values({
          organization_id: organizationId,
          user_id: userId,
          external_id: cleanOrNull(fields.externalId),
          given_name: cleanOrNull(fields.givenName),
          family_name: cleanOrNull(fields.familyName),
          is_active: toFlag(fields.isActive),
          created_at_ms: atMs,
          updated_at_ms: atMs,
        })
        .execute();
      return (await get(organizationId, userId))!;
    },
    get,
    async list(organizationId, { offset, limit, email, externalId }) {
      let query = selectUsers(organizationId);
      if (email !== undefined) query = query.where('users.email_key', '=', emailKey(email));
      if (externalId !== undefined) query = query.where('directory_users.external_id', '=', externalId);
      const { total } = await query
        .select((q) => q.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await query
        .selectAll('directory_users')
        .select('users.email')
        .orderBy('directory_users.created_at_ms')
        .orderBy('directory_users.user_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total, users: rows.map(toUser) };
    },
    async update(organizationId, userId, { externalId, givenName, familyName, isActive }) {
      await db
        .updateTable('directory_users')
        .set({
          ...given({
            external_id: externalId === undefined ? undefined : cleanOrNull(externalId),
            given_name: givenName === undefined ? undefined : cleanOrNull(givenName),
            family_name: familyName === undefined ? undefined : cleanOrNull(familyName),
            is_active: isActive === undefined ? undefined : toFlag(isActive),
          }),
          updated_at_ms: now(),
        })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
      return await get(organizationId, userId);
    },
    async remove(organizationId, userId) {
      const { numDeletedRows } = await db
        .deleteFrom('directory_users')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

function toToken(row: Selectable<Database['directory_tokens']>): DirectoryToken {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    createdBy: row.created_by,
    lastUsedAtMs: row.last_used_at_ms,
    createdAtMs: row.created_at_ms,
  };
}

function toUser(row: Selectable<Database['directory_users']> & { email: string }): DirectoryUser {
  return {
    organizationId: row.organization_id,
    userId: row.user_id,
    email: row.email,
    externalId: row.external_id,
    givenName: row.given_name,
    familyName: row.family_name,
    isActive: row.is_active === 1,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
