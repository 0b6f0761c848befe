import type { Selectable } from 'kysely';
import { type Member, type Members, memberTable } from '../model/accounts.ts';
import type { Database } from '../schema.ts';
import { createProjectRoles } from './project-roles.ts';
import { type RepositoryDeps, withConflictCode } from './repository-deps.ts';

export function createMembers(deps: RepositoryDeps): Members {
  const { db, reads, now } = deps;
  const select = (organizationId: string, from = db) => selectMembers(from, organizationId);
  const get = async (organizationId: string, userId: string): Promise<Member | null> => {
    const row = await select(organizationId).where('members.user_id', '=', userId).executeTakeFirst();
    return row === undefined ? null : toMember(row);
  };

  return {
    ...createProjectRoles(deps),
    async add(organizationId, userId, role) {
      await withConflictCode(
        'already_member',
        'This user is a member already.',
        db
          .insertInto('members')
          .values({
            organization_id: organizationId,
            user_id: userId,
            role,
            own_role: null,
            claim_role: null,
            group_role: null,
            joined_at_ms: now(),
            chosen_at_ms: null,
            last_sign_in_at_ms: null,
            last_seen_at_ms: null,
          })
          .execute(),
      );
    },
    get,
    async lock(organizationId, userId) {
      // A write without a change locks the row on both engines.
      await db
        .updateTable('members')
        .set((q) => ({ role: q.ref('role') }))
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
      return await get(organizationId, userId);
    },
    async list(organizationId) {
      const rows = await select(organizationId, reads)
        .orderBy('members.joined_at_ms')
        .orderBy('members.user_id')
        .execute();
      return rows.map(toMember);
    },
    async choose(organizationId, userId) {
      await db
        .updateTable('members')
        .set({ chosen_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
    },
    async setRole(organizationId, userId, role) {
      const { numUpdatedRows } = await db
        .updateTable('members')
        .set({ role, own_role: null, claim_role: null, group_role: null })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async remove(organizationId, userId) {
      const { numDeletedRows } = await db
        .deleteFrom('members')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

interface MemberRow
  extends Selectable<Database['members']>,
    Pick<Selectable<Database['users']>, 'email' | 'name'> {
  readonly password_hash: string | null;
  readonly second_factor_at_ms: number | null;
  readonly directory_at_ms: number | null;
  readonly linked_at_ms: number | null;
}

function toMember(row: MemberRow): Member {
  return {
    ...memberTable.read(row),
    email: row.email,
    name: row.name,
    hasSecondFactor: row.second_factor_at_ms !== null,
    isFromDirectory: row.directory_at_ms !== null,
    hasSignedIn: row.last_sign_in_at_ms !== null || row.password_hash !== null || row.linked_at_ms !== null,
  };
}

function selectMembers(from: RepositoryDeps['db'], organizationId: string) {
  return from
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('second_factors', 'second_factors.user_id', 'members.user_id')
    .leftJoin('directory_users', (join) =>
      join
        .onRef('directory_users.organization_id', '=', 'members.organization_id')
        .onRef('directory_users.user_id', '=', 'members.user_id'),
    )
    .selectAll('members')
    .select([
      'users.email',
      'users.name',
      'users.password_hash',
      'second_factors.confirmed_at_ms as second_factor_at_ms',
      'directory_users.created_at_ms as directory_at_ms',
    ])
    .select((q) =>
      q
        .selectFrom('sso_identities')
        .select((of) => of.fn.max('linked_at_ms').as('at_ms'))
        .whereRef('sso_identities.user_id', '=', 'members.user_id')
        .as('linked_at_ms'),
    )
    .where('members.organization_id', '=', organizationId);
}
