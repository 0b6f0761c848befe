import { REQUEST_KINDS, type RequestKind } from '@csg/shared/contract';
import { type NotNull, type SqlBool, sql } from 'kysely';
import { type AnyRequest, type RequestOf, type Requests, STORED_KINDS } from '../model/requests.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import {
  goesOnAt,
  hasEndedAt,
  isInOpenIndex,
  newRequestRow,
  type RequestRow,
  readRequestAt,
  statusIsAt,
  subjectKey,
} from './request-rows.ts';

const DEFAULT_LIST = 50;
const MAX_LIST = 500;
const CLOSE_STEP = 100;
/** The kinds whose approvals devices apply themselves. */
const OF_DEVICES = ['exception', 'tool_request'] as const satisfies readonly RequestKind[];

/** The condition and the expression of the index of approvals. Each is for a device, a project or the organization. */
const isApproved = sql<SqlBool>`status = 'approved'`;
const APPROVAL_SCOPE = sql<string>`coalesce(device_id, project_id, '')`;

export function createRequests(deps: RepositoryDeps): Requests {
  return {
    ...requestLookups(deps),
    ...requestLists(deps),
    ...newRequests(deps),
    ...requestChanges(deps),
    ...expiredRequests(deps),
  };
}

function requestReader({ vault }: Pick<RepositoryDeps, 'vault'>) {
  const read = <K extends RequestKind>(row: RequestRow, atMs: number) => readRequestAt<K>(vault, row, atMs);
  return {
    read,
    readOrNull: <K extends RequestKind>(row: RequestRow | undefined, atMs: number): RequestOf<K> | null =>
      row === undefined ? null : read(row, atMs),
  };
}

function requestLookups(
  deps: RepositoryDeps,
): Pick<Requests, 'get' | 'findReport' | 'findOpen' | 'countPending' | 'countPendingByKind'> {
  const { db, vault, now } = deps;
  const { readOrNull } = requestReader(deps);
  const select = (organizationId: string) =>
    db.selectFrom('requests').selectAll().where('organization_id', '=', organizationId);
  return {
    async get(organizationId, id, kind) {
      let query = select(organizationId).where('id', '=', id);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      return readOrNull(await query.executeTakeFirst(), now());
    },
    async findReport(organizationId, eventId) {
      const row = await select(organizationId)
        .where('event_id', '=', eventId)
        .where('kind', '=', sql.lit('false_positive' as const))
        .executeTakeFirst();
      return readOrNull(row, now());
    },
    async findOpen(organizationId, kind, subjects) {
      if (subjects.length === 0) return null;
      const atMs = now();
      const keys = subjects.map((subject) => subjectKey(vault, kind, subject));
      const row = await select(organizationId)
        .where('kind', '=', kind)
        .where('subject_key', 'in', keys)
        .where('status', 'in', ['pending', 'approved', 'denied'])
        .where(goesOnAt(atMs))
        .orderBy((q) => q.case().when('status', '=', 'approved').then(0).else(1).end())
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return readOrNull(row, atMs);
    },
    async countPending(organizationId, kind, by) {
      const { count } = await db
        .selectFrom('requests')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where(statusIsAt('pending', now()))
        .where('kind', '=', kind)
        .$if('deviceId' in by, (query) =>
          query.where('device_id', '=', (by as { deviceId: string }).deviceId),
        )
        .$if('requestedBy' in by, (query) =>
          query.where('requested_by', '=', (by as { requestedBy: string }).requestedBy),
        )
        .executeTakeFirstOrThrow();
      return count;
    },
    async countPendingByKind(organizationId) {
      // Not grouped: to group, SQLite would read all requests in the order of their kinds.
      return await db
        .selectFrom('requests')
        .select((q) =>
          REQUEST_KINDS.map((kind) => q.fn.countAll<number>().filterWhere('kind', '=', kind).as(kind)),
        )
        .where('organization_id', '=', organizationId)
        .where(statusIsAt('pending', now()))
        .executeTakeFirstOrThrow();
    },
  };
}

function requestLists(
  deps: RepositoryDeps,
): Pick<Requests, 'list' | 'listApproved' | 'listDevicesApproved' | 'changedSince'> {
  const { db, vault, now } = deps;
  const { read } = requestReader(deps);
  const select = (organizationId: string) =>
    db.selectFrom('requests').selectAll().where('organization_id', '=', organizationId);
  return {
    async list(organizationId, filter = {}) {
      const { kind, status, without, deviceId, projectId, limit = DEFAULT_LIST, before } = filter;
      const atMs = now();
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(Math.max(1, Math.min(limit, MAX_LIST)));
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (status !== undefined) query = query.where(statusIsAt(status, atMs));
      if (without !== undefined) query = query.where('status', '!=', without);
      if (deviceId !== undefined) query = query.where('device_id', '=', deviceId);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      if (before !== undefined) {
        const { createdAtMs, id } = before;
        query = query.where((q) => q(q.refTuple('created_at_ms', 'id'), '<', q.tuple(createdAtMs, id)));
      }
      return (await query.execute()).map((row) => read(row, atMs));
    },
    async listApproved(organizationId, kind, { deviceId, projectId }, subject) {
      const atMs = now();
      let query = select(organizationId)
        .where(isApproved)
        .where(goesOnAt(atMs))
        .where('kind', '=', kind)
        .where(
          APPROVAL_SCOPE,
          'in',
          [deviceId, projectId, ''].filter((id) => id !== null),
        );
      if (subject !== undefined) query = query.where('subject_key', '=', subjectKey(vault, kind, subject));
      const rows = await query.execute();
      // Sorted here: in this order SQLite would read all requests of the organization instead of the open ones.
      const sorted = rows.toSorted((a, b) => a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1));
      return sorted.map((row) => read(row, atMs));
    },
    async listDevicesApproved(organizationId) {
      const rows = await db
        .selectFrom('requests')
        .select('device_id')
        .distinct()
        .where('organization_id', '=', organizationId)
        .where(statusIsAt('approved', now()))
        .where('kind', 'in', OF_DEVICES)
        .where('device_id', 'is not', null)
        .$narrowType<{ device_id: NotNull }>()
        .execute();
      return rows.map((row) => row.device_id);
    },
    async changedSince(organizationIds, sinceMs) {
      const atMs = now();
      const rows = await inSteps(organizationIds, (step) =>
        db
          .selectFrom('requests')
          .selectAll()
          .where('organization_id', 'in', step)
          .where('changed_at_ms', '>=', sinceMs)
          .where('kind', 'in', OF_DEVICES)
          .orderBy('changed_at_ms')
          .execute(),
      );
      return rows.map((row) => read(row, atMs));
    },
  };
}

function newRequests(deps: RepositoryDeps): Pick<Requests, 'insert' | 'report'> {
  const { db, vault, now } = deps;
  const { read } = requestReader(deps);
  return {
    async insert(organizationId, kind, input) {
      const atMs = now();
      const row = newRequestRow(vault, organizationId, kind, input, atMs);
      await db.insertInto('requests').values(row).execute();
      return read(row, atMs);
    },
    async report(organizationId, input) {
      const atMs = now();
      const row = newRequestRow(vault, organizationId, 'false_positive', input, atMs);
      const { requested_by, requester_user_id, device_id, justification, details, status } = row;
      const changed = { requested_by, requester_user_id, device_id, justification, details, status };
      const stored = await db
        .insertInto('requests')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'event_id'])
            .where('kind', '=', sql.lit('false_positive' as const))
            .doUpdateSet({ ...changed, created_at_ms: atMs, changed_at_ms: atMs }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return read(stored, atMs);
    },
  };
}

function requestChanges(deps: RepositoryDeps): Pick<Requests, 'decide' | 'cancel' | 'use' | 'remove'> {
  const { db, now } = deps;
  const { readOrNull } = requestReader(deps);
  const update = (organizationId: string, id: string) =>
    db.updateTable('requests').where('organization_id', '=', organizationId).where('id', '=', id);
  return {
    async decide(organizationId, id, { approve, decidedBy, reason, threat, endsInMs = null }) {
      const atMs = now();
      // Only requests that are decided for the first time are changed, so their details are still those read here.
      const found =
        threat === undefined
          ? undefined
          : await db
              .selectFrom('requests')
              .select('details')
              .where('organization_id', '=', organizationId)
              .where('id', '=', id)
              .executeTakeFirst();
      const row = await update(organizationId, id)
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: atMs,
          starts_at_ms: approve ? atMs : null,
          ends_at_ms: endsInMs === null ? null : atMs + endsInMs,
          ...(found && { details: JSON.stringify({ ...JSON.parse(found.details), threat }) }),
          changed_at_ms: atMs,
        })
        .where('status', '=', 'pending')
        .where(goesOnAt(atMs))
        .returningAll()
        .executeTakeFirst();
      return readOrNull(row, atMs);
    },
    async cancel(organizationId, id, cancelledBy) {
      const atMs = now();
      const row = await update(organizationId, id)
        .set({ status: 'cancelled', decided_by: cancelledBy, decided_at_ms: atMs, changed_at_ms: atMs })
        .where('status', 'in', ['pending', 'approved'])
        .where(goesOnAt(atMs))
        .returningAll()
        .executeTakeFirst();
      return readOrNull(row, atMs);
    },
    async use(organizationId, id) {
      const atMs = now();
      const { numUpdatedRows } = await update(organizationId, id)
        .set({ status: 'used', changed_at_ms: atMs })
        .where('status', '=', 'approved')
        .where(goesOnAt(atMs))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async remove(organizationId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('requests')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

function expiredRequests(deps: RepositoryDeps): Pick<Requests, 'hasExpired' | 'closeExpired'> {
  const { db, now } = deps;
  const { read } = requestReader(deps);
  const close = async (kind: RequestKind, atMs: number): Promise<readonly AnyRequest[]> => {
    const { over, overReason } = STORED_KINDS[kind];
    const rows = await db
      .updateTable('requests')
      .set({
        status: over,
        changed_at_ms: atMs,
        ...(overReason !== undefined && { decision_reason: overReason, decided_at_ms: atMs }),
      })
      .where(isInOpenIndex)
      .where(hasEndedAt(atMs))
      .where('id', 'in', (query) =>
        query
          .selectFrom('requests')
          .select('id')
          .where(isInOpenIndex)
          .where(hasEndedAt(atMs))
          .where('kind', '=', kind)
          .orderBy('ends_at_ms')
          .limit(CLOSE_STEP),
      )
      .returningAll()
      .execute();
    return rows.map((row) => read(row, atMs));
  };
  return {
    async hasExpired() {
      const row = await db
        .selectFrom('requests')
        .select('id')
        .where(isInOpenIndex)
        .where(hasEndedAt(now()))
        .where('kind', 'in', REQUEST_KINDS)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async closeExpired() {
      const atMs = now();
      const closed: AnyRequest[] = [];
      for (const kind of REQUEST_KINDS) closed.push(...(await close(kind, atMs)));
      return closed;
    },
  };
}
