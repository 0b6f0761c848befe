import type { Kysely } from 'kysely';
import { newId, randomBase62 } from '../ids.ts';
import { type Directory, type DirectoryUser, directoryTokenTable } from '../model/directory.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';
import { emailKey } from './users.ts';

/** A prefix by which a leaked token can be recognized. */
const TOKEN_PREFIX = 'svc_scim_';
const NOTE_USE_EVERY_MS = 60_000;

export function createDirectory(deps: RepositoryDeps): Directory {
  return {
    ...directoryTokens(deps),
    ...directoryUsers(deps),
  };
}

function directoryTokens({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<Directory, 'createToken' | 'listTokens' | 'removeToken' | 'findToken'> {
  const hashOf = (token: string): Buffer => vault.lookupHash(`directory:${token}`);
  return {
    async createToken(organizationId, { name, createdBy }) {
      const token = TOKEN_PREFIX + randomBase62(40);
      const row = {
        id: newId('dirt'),
        organization_id: organizationId,
        name: toStorableText(name),
        token_hash: hashOf(token),
        created_by: createdBy,
        last_used_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('directory_tokens').values(row).execute();
      return { record: directoryTokenTable.read(row), token };
    },
    async listTokens(organizationId) {
      const rows = await db
        .selectFrom('directory_tokens')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(directoryTokenTable.read);
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
      return directoryTokenTable.read(row);
    },
  };
}

function directoryUsers({
  db,
  now,
}: RepositoryDeps): Pick<Directory, 'get' | 'list' | 'describe' | 'noteMadeAccount' | 'forget'> {
  return {
    async get(organizationId, userId) {
      const row = await selectUsers(db, organizationId)
        .where('users.id', '=', userId)
        .select(USER_COLUMNS)
        .executeTakeFirst();
      return row === undefined ? null : toUser(organizationId, row);
    },
    async list(organizationId, { offset, limit, email, externalId }) {
      // Begins at the people of the organization: the joins alone would read everyone's.
      let query = selectUsers(db, organizationId).where('users.id', 'in', (ids) => {
        const members = ids
          .selectFrom('members')
          .select('user_id')
          .where('organization_id', '=', organizationId);
        const listed = ids
          .selectFrom('directory_users')
          .select('user_id')
          .where('organization_id', '=', organizationId);
        return members.union(listed);
      });
      if (email !== undefined) query = query.where('users.email_key', '=', emailKey(email));
      if (externalId !== undefined) query = query.where('directory_users.external_id', '=', externalId);
      const { total } = await query
        .select((q) => q.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await query
        .select(USER_COLUMNS)
        .orderBy('users.created_at_ms')
        .orderBy('users.id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total, users: rows.map((row) => toUser(organizationId, row)) };
    },
    async describe(organizationId, userId, { externalId, givenName, familyName }) {
      const changes = omitUndefined({
        external_id: externalId === undefined ? undefined : toStorableTextOrNull(externalId),
        given_name: givenName === undefined ? undefined : toStorableTextOrNull(givenName),
        family_name: familyName === undefined ? undefined : toStorableTextOrNull(familyName),
      });
      const atMs = now();
      await db
        .insertInto('directory_users')
        .values({
          organization_id: organizationId,
          user_id: userId,
          external_id: null,
          given_name: null,
          family_name: null,
          made_account: 0,
          ...changes,
          created_at_ms: atMs,
          updated_at_ms: atMs,
        })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'user_id']).doUpdateSet({ ...changes, updated_at_ms: atMs }),
        )
        .execute();
    },
    async noteMadeAccount(organizationId, userId) {
      await db
        .updateTable('directory_users')
        .set({ made_account: 1 })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
    },
    async forget(organizationId, userId) {
      await db
        .deleteFrom('directory_users')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
    },
  };
}

function toUser(
  organizationId: string,
  row: {
    id: string;
    email: string;
    joined_at_ms: number | null;
    external_id: string | null;
    given_name: string | null;
    family_name: string | null;
    made_account: number | null;
    created_at_ms: number | null;
    updated_at_ms: number | null;
  },
): DirectoryUser {
  const createdAtMs = row.created_at_ms ?? row.joined_at_ms ?? 0;
  return {
    organizationId,
    userId: row.id,
    email: row.email,
    externalId: row.external_id,
    givenName: row.given_name,
    familyName: row.family_name,
    hasMadeAccount: row.made_account === 1,
    isActive: row.joined_at_ms !== null,
    createdAtMs,
    updatedAtMs: row.updated_at_ms ?? createdAtMs,
  };
}

const USER_COLUMNS = [
  'users.id',
  'users.email',
  'members.joined_at_ms',
  'directory_users.external_id',
  'directory_users.given_name',
  'directory_users.family_name',
  'directory_users.made_account',
  'directory_users.created_at_ms',
  'directory_users.updated_at_ms',
] as const;

const selectUsers = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.organization_id', '=', organizationId),
    )
    .leftJoin('directory_users', (join) =>
      join
        .onRef('directory_users.user_id', '=', 'users.id')
        .on('directory_users.organization_id', '=', organizationId),
    )
    .where((q) => q.or([q('members.user_id', 'is not', null), q('directory_users.user_id', 'is not', null)]));
