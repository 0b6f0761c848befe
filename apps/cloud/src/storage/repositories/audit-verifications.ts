import { newId } from '../ids.ts';
import { type AuditVerifications, auditVerificationTable } from '../model/audit-verifications.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const KEPT = 20;

export function createAuditVerifications({
  db,
  now,
}: Pick<RepositoryDeps, 'db' | 'now'>): AuditVerifications {
  const newest = (organizationId: string) =>
    db
      .selectFrom('audit_verifications')
      .where('organization_id', '=', organizationId)
      .orderBy('started_at_ms', 'desc')
      .orderBy('id', 'desc');
  const update = (organizationId: string, id: string) =>
    db
      .updateTable('audit_verifications')
      .set({ seen_at_ms: now() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('ended_at_ms', 'is', null);
  return {
    async start(organizationId, startedBy) {
      const id = newId('ver');
      const startedAtMs = now();
      await db
        .insertInto('audit_verifications')
        .values({
          id,
          organization_id: organizationId,
          started_by: startedBy,
          started_at_ms: startedAtMs,
          seen_at_ms: startedAtMs,
          ended_at_ms: null,
          rows_read: 0,
          rows_total: null,
          outcome: null,
          first_invalid: null,
        })
        .execute();
      const older = await newest(organizationId).select('id').offset(KEPT).limit(KEPT).execute();
      for (const run of older) await db.deleteFrom('audit_verifications').where('id', '=', run.id).execute();
      return id;
    },
    async progress(organizationId, id, { rows, of }) {
      await update(organizationId, id).set({ rows_read: rows, rows_total: of }).execute();
    },
    async end(organizationId, id, { outcome, firstInvalid }) {
      await update(organizationId, id)
        .set({ ended_at_ms: now(), outcome, first_invalid: firstInvalid })
        .$if(outcome !== 'failed', (query) =>
          query.set(({ fn, ref }) => ({ rows_read: fn.coalesce(ref('rows_total'), ref('rows_read')) })),
        )
        .execute();
    },
    async list(organizationId) {
      const rows = await newest(organizationId).selectAll().limit(KEPT).execute();
      return rows.map(auditVerificationTable.read);
    },
  };
}
