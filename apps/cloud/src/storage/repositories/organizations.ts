import { newId } from '../ids.ts';
import { type Organizations, organizationTable } from '../model/accounts.ts';
import { toFlag, toStorableText } from '../stored-values.ts';
import { inSteps } from './list-steps.ts';
import { type RepositoryDeps, withConflictCode } from './repository-deps.ts';

export function createOrganizations(deps: RepositoryDeps): Organizations {
  return {
    ...organizationLookups(deps),
    ...organizationChanges(deps),
  };
}

function organizationLookups({
  db,
}: RepositoryDeps): Pick<
  Organizations,
  'get' | 'listOwned' | 'listForUser' | 'findOperator' | 'listExisting'
> {
  return {
    async get(organizationId) {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .where('id', '=', organizationId)
        .executeTakeFirst();
      return organizationTable.readOrNull(row);
    },
    async listOwned(accountId) {
      const rows = await db
        .selectFrom('organizations')
        .selectAll()
        .where('owner_id', '=', accountId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(organizationTable.read);
    },
    async listForUser(userId) {
      const rows = await db
        .selectFrom('members')
        .innerJoin('organizations', 'organizations.id', 'members.organization_id')
        .innerJoin('users as owners', 'owners.id', 'organizations.owner_id')
        .selectAll('organizations')
        .select([
          'members.role',
          'members.joined_at_ms',
          'members.chosen_at_ms',
          'owners.email as owner_email',
        ])
        .where('members.user_id', '=', userId)
        .orderBy('organizations.created_at_ms')
        .orderBy('organizations.id')
        .execute();
      return rows.map((row) => ({
        ...organizationTable.read(row),
        role: row.role,
        ownerEmail: row.owner_email,
        joinedAtMs: row.joined_at_ms,
        chosenAtMs: row.chosen_at_ms,
      }));
    },
    async findOperator() {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .where('is_operator', '=', 1)
        .executeTakeFirst();
      return organizationTable.readOrNull(row);
    },
    async listExisting(organizationIds) {
      const rows = await inSteps(organizationIds, (step) =>
        db.selectFrom('organizations').select('id').where('id', 'in', step).execute(),
      );
      return rows.map(({ id }) => id);
    },
  };
}

function organizationChanges({
  db,
  now,
}: RepositoryDeps): Pick<
  Organizations,
  'insert' | 'lock' | 'rename' | 'setRequiresSecondFactor' | 'setSsoOnly' | 'setAllowedIps' | 'transfer'
> {
  return {
    async insert({ kind, name, ownerId, isOperator = false }) {
      const row = {
        id: newId('org'),
        kind,
        name: toStorableText(name),
        owner_id: ownerId,
        created_at_ms: now(),
        allowed_ips: null,
        requires_second_factor: 0,
        sso_only: 0,
        is_operator: toFlag(isOperator),
      };
      await withConflictCode(
        'personal_exists',
        'This user has a personal organization already.',
        db.insertInto('organizations').values(row).execute(),
      );
      return organizationTable.read(row);
    },
    async lock(organizationId) {
      // A write without a change locks the row on both engines.
      await db
        .updateTable('organizations')
        .set((q) => ({ created_at_ms: q.ref('created_at_ms') }))
        .where('id', '=', organizationId)
        .execute();
    },
    async rename(organizationId, name) {
      await db
        .updateTable('organizations')
        .set({ name: toStorableText(name) })
        .where('id', '=', organizationId)
        .execute();
    },
    async setRequiresSecondFactor(organizationId, required) {
      await db
        .updateTable('organizations')
        .set({ requires_second_factor: toFlag(required) })
        .where('id', '=', organizationId)
        .execute();
    },
    async setSsoOnly(organizationId, ssoOnly) {
      await db
        .updateTable('organizations')
        .set({ sso_only: toFlag(ssoOnly) })
        .where('id', '=', organizationId)
        .execute();
    },
    async setAllowedIps(organizationId, ranges) {
      await db
        .updateTable('organizations')
        .set({ allowed_ips: JSON.stringify(ranges) })
        .where('id', '=', organizationId)
        .execute();
    },
    async transfer(organizationId, fromId, toId) {
      const { numUpdatedRows } = await db
        .updateTable('organizations')
        .set({ owner_id: toId, kind: 'team' })
        .where('id', '=', organizationId)
        .where('owner_id', '=', fromId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}
