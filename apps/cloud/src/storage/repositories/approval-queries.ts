import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type NotNull,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import {
  type ApprovalDecision,
  type ApprovalFilter,
  type ApprovalScope,
  PENDING_MS,
} from '../model/approvals.ts';
import type { Database } from '../schema.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import { inSteps, listSize } from './list-steps.ts';

type Name = 'exceptions' | 'tool_requests';
export type Condition<T extends Name> = (q: ExpressionBuilder<Database, T>) => Expression<SqlBool>;

/** What exceptions and tool requests have in common: one person requests, another one decides. */
export function createApprovalQueries<T extends Name>(db: Kysely<Database>, name: T) {
  return { ...approvalLookups(db, name), ...approvalDecisions(db, name), ...undecidedRequests(db, name) };
}

/** Matches pending requests that have not expired: the time decides, even before the expiry is stored. */
export function isPendingAt<T extends Name>(atMs: number): Condition<T> {
  const isPending: Condition<'tool_requests'> = (q) =>
    q.and([q('status', '=', 'pending'), q('created_at_ms', '>', atMs - PENDING_MS)]);
  return isPending as unknown as Condition<T>;
}

/** Matches pending requests that have expired. */
export function isUndecidedAt<T extends Name>(atMs: number): Condition<T> {
  const isUndecided: Condition<'tool_requests'> = (q) =>
    q.and([q('status', '=', sql.lit('pending')), q('created_at_ms', '<=', atMs - PENDING_MS)]);
  return isUndecided as unknown as Condition<T>;
}

/** Returns when an undecided request expires; null: it is decided or has expired. */
export function pendingUntil(row: { readonly status: string; readonly created_at_ms: number }, atMs: number) {
  const untilMs = row.created_at_ms + PENDING_MS;
  return row.status === 'pending' && untilMs > atMs ? untilMs : null;
}

/** Queries on either table, with column names that both have. */
function approvalTable<T extends Name>(db: Kysely<Database>, name: T) {
  // Both tables have every column used here, which Kysely cannot infer for a type parameter.
  const table = name as 'tool_requests';
  type Row = Selectable<Database[T]>;
  type Found = Selectable<Database['tool_requests']>;
  const all = (rows: readonly Found[]) => rows as unknown as readonly Row[];
  const one = (row: Found | undefined) => row as unknown as Row | undefined;
  const holds = (condition: Condition<T> = (q) => q.lit(true)) =>
    condition as unknown as Condition<'tool_requests'>;

  const select = (organizationId: string) =>
    db.selectFrom(table).selectAll().where('organization_id', '=', organizationId);
  const update = (organizationId: string, id: string) =>
    db.updateTable(table).where('organization_id', '=', organizationId).where('id', '=', id).returningAll();
  return { table, all, one, holds, select, update };
}

function approvalLookups<T extends Name>(db: Kysely<Database>, name: T) {
  const { table, all, one, holds, select } = approvalTable(db, name);
  return {
    async get(organizationId: string, id: string) {
      return one(await select(organizationId).where('id', '=', id).executeTakeFirst());
    },
    /** Newest first. */
    async list(
      organizationId: string,
      { deviceId, limit, before }: Omit<ApprovalFilter<never>, 'status'>,
      condition?: Condition<T>,
    ) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (deviceId !== undefined) query = query.where('device_id', '=', deviceId);
      if (condition !== undefined) query = query.where(holds(condition));
      if (before !== undefined) {
        query = query.where(isOlder(before));
      }
      return all(await query.execute());
    },
    async countPending(organizationId: string, deviceId: string, atMs: number) {
      const { count } = await db
        .selectFrom(table)
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where(isPendingAt(atMs))
        .where('device_id', '=', deviceId)
        .executeTakeFirstOrThrow();
      return count;
    },
    /** Approved ones of the device, of the project or of the whole organization; oldest first. */
    async listApproved(
      organizationId: string,
      { deviceId, projectId }: ApprovalScope,
      condition?: Condition<T>,
    ) {
      const rows = await select(organizationId)
        .where('status', '=', 'approved')
        .where((q) => {
          const shared = q.and([
            q('device_id', 'is', null),
            q.or([q('project_id', 'is', null), q('project_id', '=', projectId)]),
          ]);
          return deviceId === null ? shared : q.or([q('device_id', '=', deviceId), shared]);
        })
        .where(holds(condition))
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return all(rows);
    },
    /** Ids of the devices that have an approved one of their own. */
    async listDevicesApproved(organizationId: string, condition?: Condition<T>) {
      const rows = await db
        .selectFrom(table)
        .select('device_id')
        .distinct()
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'approved')
        .where(holds(condition))
        .where('device_id', 'is not', null)
        .$narrowType<{ device_id: NotNull }>()
        .execute();
      return rows.map((row) => row.device_id);
    },
    async changedSince(organizationIds: readonly string[], sinceMs: number) {
      const rows = await inSteps(organizationIds, (step) =>
        db
          .selectFrom(table)
          .selectAll()
          .where('organization_id', 'in', step)
          .where('changed_at_ms', '>=', sinceMs)
          .orderBy('changed_at_ms')
          .execute(),
      );
      return all(rows);
    },
  };
}

function approvalDecisions<T extends Name>(db: Kysely<Database>, name: T) {
  const { one, holds, update } = approvalTable(db, name);
  return {
    /** Decides in one statement: of two concurrent callers the first wins. */
    async decide(
      organizationId: string,
      id: string,
      { approve, decidedBy, reason }: ApprovalDecision,
      atMs: number,
      more?: Updateable<Database[T]>,
    ) {
      const row = await update(organizationId, id)
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: atMs,
          changed_at_ms: atMs,
          ...more,
        })
        .where(isPendingAt(atMs))
        .executeTakeFirst();
      return one(row);
    },
    /** Cancels pending requests, and approved ones that match `condition`. */
    async cancel(
      organizationId: string,
      id: string,
      cancelledBy: string,
      atMs: number,
      condition?: Condition<T>,
    ) {
      const row = await update(organizationId, id)
        .set({ status: 'cancelled', decided_by: cancelledBy, decided_at_ms: atMs, changed_at_ms: atMs })
        .where((q) =>
          q.or([
            isPendingAt<'tool_requests'>(atMs)(q),
            q.and([q('status', '=', 'approved'), holds(condition)(q)]),
          ]),
        )
        .executeTakeFirst();
      return one(row);
    },
  };
}

function undecidedRequests<T extends Name>(db: Kysely<Database>, name: T) {
  const { table, all } = approvalTable(db, name);
  return {
    async hasUndecided(atMs: number) {
      const row = await db
        .selectFrom(table)
        .select('id')
        .where(isUndecidedAt(atMs))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Stores the expiry of at most `limit` requests; returns those this call wrote. */
    async closeUndecided(atMs: number, limit: number, change: Updateable<Database[T]>) {
      const rows = await db
        .updateTable(table)
        .set({ ...(change as Updateable<Database['tool_requests']>), changed_at_ms: atMs })
        .where('status', '=', 'pending')
        .where('id', 'in', (query) =>
          query
            .selectFrom(table)
            .select('id')
            .where(isUndecidedAt(atMs))
            .orderBy('created_at_ms')
            .limit(limit),
        )
        .returningAll()
        .execute();
      return all(rows);
    },
  };
}

function isOlder({
  createdAtMs,
  id,
}: NonNullable<ApprovalFilter<never>['before']>): Condition<'tool_requests'> {
  return (q) =>
    q.or([
      q('created_at_ms', '<', createdAtMs),
      q.and([q('created_at_ms', '=', createdAtMs), q('id', '<', id)]),
    ]);
}
