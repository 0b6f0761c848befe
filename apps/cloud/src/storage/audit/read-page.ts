import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { AuditPage, AuditQuery } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { toAuditRow } from './read-chain.ts';

const MAX_PAGE = 200;
/** Rows looked at by one statement, and for one page. */
const STEP = 2_000;
const MAX_STEPS = 10;
const DECISIONS = ['policy_allow', 'policy_block'];

/** The table has no index but that of the chain, which is written all the time: a filter walks it in steps. */
export async function readPage(
  db: Kysely<Database>,
  organizationId: string,
  query: AuditQuery = {},
): Promise<AuditPage> {
  const size = Math.max(1, Math.min(query.limit ?? 50, MAX_PAGE));
  const rows: AuditPage['rows'][number][] = [];
  let before = query.before ?? (await highestSeq(db, organizationId)) + 1;
  for (let step = 0; step < MAX_STEPS && before > 1; step++) {
    const lowest = before - STEP;
    const found = await fitting(db, organizationId, query)
      .where('seq', '<', before)
      .where('seq', '>=', lowest)
      .orderBy('seq', 'desc')
      .limit(size - rows.length + 1)
      .execute();
    const isFull = rows.length + found.length > size;
    rows.push(...found.slice(0, size - rows.length).map(toAuditRow));
    if (isFull) return { rows, next: rows.at(-1)!.seq };
    before = lowest;
    await nextTurn();
  }
  return { rows, next: before > 1 ? before : null };
}

function fitting(db: Kysely<Database>, organizationId: string, query: AuditQuery) {
  const { kind, only, actor, subject, fromMs, toMs } = query;
  return db
    .selectFrom('audit_rows')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
    .$if(only === 'changes', (q) => q.where('kind', 'not in', DECISIONS))
    .$if(only === 'decisions', (q) => q.where('kind', 'in', DECISIONS))
    .$if(actor !== undefined, (q) => q.where('actor', '=', actor!))
    .$if(subject !== undefined, (q) => q.where('subject', '=', subject!))
    .$if(fromMs !== undefined, (q) => q.where('at_ms', '>=', fromMs!))
    .$if(toMs !== undefined, (q) => q.where('at_ms', '<', toMs!));
}

async function highestSeq(db: Kysely<Database>, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('audit_rows')
    .select('seq')
    .where('organization_id', '=', organizationId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}
