import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { AuditPage, AuditQuery } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { toAuditRow } from './read-chain.ts';

const MAX_PAGE = 200;
/** Rows read by one statement; a page reads at most MAX_STEPS times as many. */
const STEP = 2_000;
const MAX_STEPS = 10;
const DECISIONS: readonly string[] = ['policy_allow', 'policy_block'];

/** Changes have indexes of their own, so their pages are always full. Decisions are read in steps. */
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

/** Decisions have no address. */
function isOnlyChanges({ kind, only, address }: AuditQuery): boolean {
  return only === 'changes' || address !== undefined || (kind !== undefined && !DECISIONS.includes(kind));
}

/** Of an address the rows are found by its index, else by one of the changes. */
async function readChanges(
  db: Kysely<Database>,
  organizationId: string,
  query: AuditQuery,
  size: number,
): Promise<AuditPage> {
  const place = query.address === undefined ? 'audit_rows' : 'audit_addresses';
  const found = await matching(db, organizationId, query)
    // The same condition as in the definition of the indexes, so that the engines use them.
    .where(sql<boolean>`kind <> 'policy_allow' and kind <> 'policy_block'`)
    .$if(query.before !== undefined, (q) => q.where(isBefore(place, organizationId, query.before!)))
    .orderBy(`${place}.at_ms`, 'desc')
    .orderBy(`${place}.seq`, 'desc')
    .limit(size + 1)
    .execute();
  const rows = found.slice(0, size).map(toShownRow);
  return { rows, next: found.length > size ? rows.at(-1)!.seq : null };
}

type Place = 'audit_rows' | 'audit_addresses';

/** Older than the row with this number, or than the one before it if there is none. */
const isBefore =
  (place: Place, organizationId: string, before: number) => (q: ExpressionBuilder<Database, Place>) =>
    q(
      q.refTuple(`${place}.at_ms`, `${place}.seq`),
      '<',
      q.tuple(
        q
          .selectFrom('audit_rows as last')
          .select('last.at_ms')
          .where('last.organization_id', '=', organizationId)
          .where('last.seq', '<=', before)
          .orderBy('last.seq', 'desc')
          .limit(1) as never,
        q.val(before),
      ),
    );

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
      .where('audit_rows.seq', '<', before)
      .where('audit_rows.seq', '>=', lowest)
      .orderBy('audit_rows.seq', 'desc')
      .limit(size - rows.length + 1)
      .execute();
    const isFull = rows.length + found.length > size;
    rows.push(...found.slice(0, size - rows.length).map(toShownRow));
    if (isFull) return { rows, next: rows.at(-1)!.seq };
    before = lowest;
    await nextTurn();
  }
  return { rows, next: before > 1 ? before : null };
}

function toShownRow(row: Parameters<typeof toAuditRow>[0] & { readonly address: string | null }) {
  return { ...toAuditRow(row), address: row.address };
}

function matching(db: Kysely<Database>, organizationId: string, query: AuditQuery) {
  const { kind, only, actor, subject, address, fromMs, toMs } = query;
  const time = `${address === undefined ? 'audit_rows' : 'audit_addresses'}.at_ms` as const;
  return db
    .selectFrom('audit_rows')
    .leftJoin('audit_addresses', (join) =>
      join
        .onRef('audit_addresses.organization_id', '=', 'audit_rows.organization_id')
        .onRef('audit_addresses.seq', '=', 'audit_rows.seq'),
    )
    .selectAll('audit_rows')
    .select('audit_addresses.address')
    .where('audit_rows.organization_id', '=', organizationId)
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
    .$if(only === 'changes', (q) => q.where('kind', 'not in', DECISIONS))
    .$if(only === 'decisions', (q) => q.where('kind', 'in', DECISIONS))
    .$if(actor !== undefined, (q) => q.where('audit_rows.actor', '=', actor!))
    .$if(subject !== undefined, (q) => q.where('subject', '=', subject!))
    .$if(address !== undefined, (q) => q.where('audit_addresses.address', '=', address!))
    .$if(fromMs !== undefined, (q) => q.where(time, '>=', fromMs!))
    .$if(toMs !== undefined, (q) => q.where(time, '<', toMs!));
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
