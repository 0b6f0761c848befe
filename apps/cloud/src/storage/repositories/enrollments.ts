import { newId, randomBase62 } from '../ids.ts';
import { type Enrollments, enrollmentTable } from '../model/fleet.ts';
import { toFlag, toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** A prefix by which a leaked token can be recognized. */
const TOKEN_PREFIX = 'svc_enroll_';

export function createEnrollments({ db, vault, now }: RepositoryDeps): Enrollments {
  return {
    async create(organizationId, input) {
      const token = TOKEN_PREFIX + randomBase62(40);
      const uses = input.uses ?? 1;
      const row = {
        id: newId('enr'),
        organization_id: organizationId,
        project_id: input.projectId ?? null,
        created_by: input.createdBy ?? null,
        label: toStorableTextOrNull(input.label),
        is_bulk: toFlag(input.isBulk ?? false),
        platform: input.platform ?? null,
        token_hash: vault.lookupHash(token),
        uses_left: uses,
        uses_total: uses,
        expires_at_ms: input.expiresAtMs ?? null,
        revoked_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('enrollments').values(row).execute();
      return { enrollment: enrollmentTable.read(row), token };
    },
    async spend(token, platform, nowMs) {
      const row = await db
        .updateTable('enrollments')
        .set((q) => ({ uses_left: q('uses_left', '-', 1) }))
        .where('token_hash', '=', vault.lookupHash(token))
        .where('uses_left', '>', 0)
        .where('revoked_at_ms', 'is', null)
        .where((q) => q.or([q('expires_at_ms', 'is', null), q('expires_at_ms', '>', nowMs)]))
        .where((q) => q.or([q('platform', 'is', null), q('platform', '=', platform)]))
        .returningAll()
        .executeTakeFirst();
      return enrollmentTable.readOrNull(row);
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom('enrollments')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(enrollmentTable.read);
    },
    async revoke(organizationId, enrollmentId) {
      const { numUpdatedRows } = await db
        .updateTable('enrollments')
        .set({ revoked_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', enrollmentId)
        .where('revoked_at_ms', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async revokeByMember(organizationId, userId) {
      const rows = await db
        .updateTable('enrollments')
        .set({ revoked_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('created_by', '=', userId)
        .where('is_bulk', '=', 0)
        .where('uses_left', '>', 0)
        .where('revoked_at_ms', 'is', null)
        .returning('id')
        .execute();
      return rows.map((row) => row.id).sort();
    },
  };
}
