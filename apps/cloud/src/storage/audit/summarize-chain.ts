import type { Kysely } from 'kysely';
import type { AuditSummary } from '../model/audit.ts';
import type { Database } from '../schema.ts';

export async function summarizeChain(
  db: Kysely<Database>,
  organizationId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<AuditSummary> {
  const counts = await db
    .selectFrom('audit_rows')
    .select((q) => ['kind', q.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('at_ms', '>=', fromMs)
    .where('at_ms', '<', toMs)
    .groupBy('kind')
    .execute();
  const last = await db
    .selectFrom('audit_rows')
    .select('seq')
    .where('organization_id', '=', organizationId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const checkpoint = await db
    .selectFrom('audit_checkpoints')
    .select(['number', 'seq', 'at_ms'])
    .where('organization_id', '=', organizationId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    kinds: new Map(counts.map(({ kind, count }) => [kind, Number(count)])),
    lastSeq: last?.seq ?? 0,
    checkpoint:
      checkpoint === undefined
        ? null
        : { number: checkpoint.number, seq: checkpoint.seq, atMs: checkpoint.at_ms },
  };
}
