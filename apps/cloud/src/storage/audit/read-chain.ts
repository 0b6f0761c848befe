import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import type { AuditRow, JsonObject } from '../model/audit.ts';
import type { Database } from '../schema.ts';

export type StoredAuditRow = Selectable<Database['audit_rows']>;

const PAGE = 500;

/** Yields rows up to and including `lastSeq`, oldest first, in pages, without blocking the event loop between them. */
export async function* readChain(
  db: Kysely<Database>,
  organizationId: string,
  lastSeq: number,
): AsyncIterable<StoredAuditRow> {
  let after: number | undefined;
  for (;;) {
    let query = db
      .selectFrom('audit_rows')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('seq', '<=', lastSeq)
      .orderBy('seq')
      .limit(PAGE);
    if (after !== undefined) query = query.where('seq', '>', after);
    const rows = await query.execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.seq;
    await nextTurn();
  }
}

export function toAuditRow(row: StoredAuditRow): AuditRow {
  return {
    organizationId: row.organization_id,
    seq: row.seq,
    atMs: row.at_ms,
    kind: row.kind,
    actor: row.actor,
    subject: row.subject,
    data: JSON.parse(row.data) as JsonObject,
    prevHash: row.prev_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  };
}
