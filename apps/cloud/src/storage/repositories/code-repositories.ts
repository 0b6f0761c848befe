import type { CodeRepositories } from '../model/code-repositories.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createCodeRepositories({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): CodeRepositories {
  const nameOf = (fullName: string): string => toStorableText(fullName).toLowerCase();
  const find: CodeRepositories['find'] = async (fullName) => {
    const row = await db
      .selectFrom('code_repositories')
      .selectAll()
      .where('full_name', '=', nameOf(fullName))
      .executeTakeFirst();
    return row === undefined
      ? null
      : { fullName: row.full_name, organizationId: row.organization_id, projectId: row.project_id };
  };
  return {
    find,
    async bind(organizationId, projectId, fullName) {
      await db
        .insertInto('code_repositories')
        .values({
          full_name: nameOf(fullName),
          organization_id: organizationId,
          project_id: projectId,
          created_at_ms: now(),
        })
        .onConflict((conflict) =>
          conflict
            .column('full_name')
            .doUpdateSet({ project_id: projectId })
            .where('code_repositories.organization_id', '=', organizationId),
        )
        .execute();
      const bound = await find(fullName);
      return bound?.organizationId === organizationId ? bound : null;
    },
    async unbind(organizationId, fullName) {
      const done = await db
        .deleteFrom('code_repositories')
        .where('organization_id', '=', organizationId)
        .where('full_name', '=', nameOf(fullName))
        .executeTakeFirst();
      return done.numDeletedRows === 1n;
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom('code_repositories')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('full_name')
        .execute();
      return rows.map((row) => ({ fullName: row.full_name, organizationId, projectId: row.project_id }));
    },
    async begin(deliveryId, leaseMs) {
      const atMs = now();
      const done = await db
        .insertInto('code_deliveries')
        .values({ id: toStorableText(deliveryId), is_done: 0, at_ms: atMs })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ at_ms: atMs })
            .where('code_deliveries.is_done', '=', 0)
            .where('code_deliveries.at_ms', '<=', atMs - leaseMs),
        )
        .returning('id')
        .executeTakeFirst();
      return done !== undefined;
    },
    async finish(deliveryId) {
      await db
        .updateTable('code_deliveries')
        .set({ is_done: 1 })
        .where('id', '=', toStorableText(deliveryId))
        .execute();
    },
    async prune(beforeMs) {
      await db.deleteFrom('code_deliveries').where('at_ms', '<', beforeMs).execute();
    },
  };
}
