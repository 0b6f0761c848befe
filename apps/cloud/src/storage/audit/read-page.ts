import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { AuditPage, AuditQuery } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { toAuditRow } from './read-chain.ts';

const MAX_PAGE = 200;
/** Rows read by one statement; a page reads at most MAX_STEPS times as many. */
const STEP = 2_000;
const MAX_STEPS = 10;
const DECISIONS: readonly string[] = ['policy_allow', 'policy_block'];

/** Changes have an index of their own, so their pages are always full. Decisions are read in steps. */
export async function readPage(
  db: Kysely<Database>,
  organizationId: string,
  query: AuditQuery = {},
): Promise<AuditPage> {
  const size = Math.max(1, Math.min(query.limit ?? 50, MAX_PAGE));
  return isOnlyChanges(query)
    ? await readChanges(db, organizationId, query, size)
    : await walkRows(db, organizationId, query, size);
}

function isOnlyChanges({ kind, only }: AuditQuery): boolean {
  return only === 'changes' || (kind !== undefined && !DECISIONS.includes(kind));
}

async function readChanges(
  db: Kysely<Database>,
  organizationId: string,
  query: AuditQuery,
  size: number,
): Promise<AuditPage> {
  const found = await matching(db, organizationId, query)
    // The same condition as in the definition of the index, so that the engines use it.
    .where(sql<boolean>`kind <> 'policy_allow' and kind <> 'policy_block'`)
    .$if(query.before !== undefined, (q) => q.where('seq', '<', query.before!))
    .orderBy('seq', 'desc')
    .limit(size + 1)
    .execute();
  const rows = found.slice(0, size).map(toAuditRow);
  return { rows, next: found.length > size ? rows.at(-1)!.seq : null };
}

async function walkRows(
  db: Kysely<Database>,
  organizationId: string,
  query: AuditQuery,
  size: number,
): Promise<AuditPage> {
  const rows: AuditPage['rows'][number][] = [];
  let before = query.before ?? (await highestSeq(db, organizationId)) + 1;
  for (let step = 0; step < MAX_STEPS && before > 1; step++) {
    const lowest = before - STEP;
    const found = await matching(db, organizationId, query)
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

function matching(db: Kysely<Database>, organizationId: string, query: AuditQuery) {
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
