import { newId } from '../ids.ts';
import { type SavedFilters, savedFilterTable } from '../model/saved-filters.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createSavedFilters({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): SavedFilters {
  return {
    async insert(organizationId, userId, { name, query }) {
      const row = {
        id: newId('flt'),
        organization_id: organizationId,
        user_id: userId,
        name: toStorableText(name),
        query: toStorableText(JSON.stringify(query)),
        created_at_ms: now(),
      };
      await db.insertInto('saved_filters').values(row).execute();
      return savedFilterTable.read(row);
    },
    async list(organizationId, userId) {
      const rows = await db
        .selectFrom('saved_filters')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return rows.map(savedFilterTable.read);
    },
    async remove(organizationId, userId, filterId) {
      const { numDeletedRows } = await db
        .deleteFrom('saved_filters')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('id', '=', filterId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
