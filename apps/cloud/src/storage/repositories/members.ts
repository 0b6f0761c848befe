import { type Member, type Members, memberTable } from '../model/accounts.ts';
import type { Database } from '../schema.ts';
import { type RepositoryDeps, withConflictCode } from './repository-deps.ts';

export function createMembers({ db, now }: RepositoryDeps): Members {
  const select = (organizationId: string) =>
    db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .selectAll('members')
      .select(['users.email', 'users.name'])
      .where('members.organization_id', '=', organizationId);
  const get = async (organizationId: string, userId: string): Promise<Member | null> => {
    const row = await select(organizationId).where('members.user_id', '=', userId).executeTakeFirst();
    return row === undefined ? null : toMember(row);
  };

  return {
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
            joined_at_ms: now(),
            chosen_at_ms: null,
          })
          .execute(),
      );
    },
    get,
    async hold(organizationId, userId) {
      // Writing what is there locks the row on both engines.
      await db
        .updateTable('members')
        .set((q) => ({ role: q.ref('role') }))
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
      return await get(organizationId, userId);
    },
    async list(organizationId) {
      const rows = await select(organizationId)
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
        .set({ role })
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

function toMember(row: Database['members'] & Pick<Database['users'], 'email' | 'name'>): Member {
  return { ...memberTable.read(row), email: row.email, name: row.name };
}
