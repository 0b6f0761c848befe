import { sql } from 'kysely';
import { newId } from '../ids.ts';
import { type Exception, type Exceptions, exceptionTable } from '../model/approvals.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import {
  type Condition,
  createApprovalQueries,
  isPendingAt,
  isUndecidedAt,
  pendingUntil,
} from './approval-queries.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const CLOSE_STEP = 100;
const MINUTE_MS = 60_000;

type If = Condition<'exceptions'>;

export function createExceptions(deps: RepositoryDeps): Exceptions {
  return {
    ...exceptionRequests(deps),
    ...activeExceptions(deps),
  };
}

function exceptionRequests({
  db,
  now,
}: RepositoryDeps): Pick<
  Exceptions,
  'insert' | 'get' | 'list' | 'countPending' | 'decide' | 'cancel' | 'changedSince'
> {
  const queries = createApprovalQueries(db, 'exceptions');
  // An approved exception has started: a check of its start would let another instance's clock delay it.
  const isActive =
    (atMs: number): If =>
    (q) =>
      q('expires_at_ms', '>', atMs);
  return {
    async insert(organizationId, input) {
      const atMs = now();
      const row: Database['exceptions'] = {
        id: newId('exc'),
        organization_id: organizationId,
        project_id: input.projectId,
        device_id: input.deviceId,
        requested_by: input.requestedBy,
        requester_user_id: input.requesterUserId,
        destination_host: toStorableText(input.destinationHost),
        host_key: toStorableText(input.hostKey),
        policy_id: toStorableTextOrNull(input.policyId),
        threat: toStorableTextOrNull(input.threat),
        reason_category: toStorableTextOrNull(input.reasonCategory),
        justification: toStorableTextOrNull(input.justification),
        requested_minutes: input.requestedMinutes,
        status: 'pending',
        decided_by: null,
        decision_reason: null,
        decided_at_ms: null,
        starts_at_ms: null,
        expires_at_ms: null,
        created_at_ms: atMs,
        changed_at_ms: atMs,
        event_id: toStorableTextOrNull(input.eventId ?? null),
      };
      await db.insertInto('exceptions').values(row).execute();
      return readAt(row, atMs);
    },
    async get(organizationId, exceptionId) {
      return readAtOrNull(await queries.get(organizationId, exceptionId), now());
    },
    async list(organizationId, { status, ...filter } = {}) {
      const atMs = now();
      const rows = await queries.list(organizationId, filter, status && statusIs(status, atMs));
      return rows.map((row) => readAt(row, atMs));
    },
    countPending: (organizationId, deviceId) => queries.countPending(organizationId, deviceId, now()),
    async decide(organizationId, exceptionId, { minutes, ...decision }) {
      const atMs = now();
      const times = decision.approve
        ? { starts_at_ms: atMs, expires_at_ms: atMs + minutes * MINUTE_MS }
        : { starts_at_ms: null, expires_at_ms: null };
      return readAtOrNull(await queries.decide(organizationId, exceptionId, decision, atMs, times), atMs);
    },
    async cancel(organizationId, exceptionId, cancelledBy) {
      const atMs = now();
      const row = await queries.cancel(organizationId, exceptionId, cancelledBy, atMs, isActive(atMs));
      return readAtOrNull(row, atMs);
    },
    async changedSince(organizationIds, sinceMs) {
      const atMs = now();
      return (await queries.changedSince(organizationIds, sinceMs)).map((row) => readAt(row, atMs));
    },
  };
}

function activeExceptions({
  db,
  now,
}: RepositoryDeps): Pick<Exceptions, 'listActive' | 'listActiveDevices' | 'hasExpired' | 'closeExpired'> {
  const queries = createApprovalQueries(db, 'exceptions');
  // An approved exception has started: a check of its start would let another instance's clock delay it.
  const isActive =
    (atMs: number): If =>
    (q) =>
      q('expires_at_ms', '>', atMs);
  return {
    async listActive(organizationId, place, hostKey) {
      const atMs = now();
      const isOfHost: If = (q) =>
        hostKey === undefined
          ? isActive(atMs)(q)
          : q.and([isActive(atMs)(q), q('host_key', '=', toStorableText(hostKey))]);
      const rows = await queries.listApproved(organizationId, place, isOfHost);
      return rows.map((row) => readAt(row, atMs));
    },
    listActiveDevices: (organizationId) => queries.listDevicesApproved(organizationId, isActive(now())),
    async hasExpired() {
      const atMs = now();
      const row = await db
        .selectFrom('exceptions')
        .select('id')
        .where('status', '=', sql.lit('approved'))
        .where('expires_at_ms', '<=', atMs)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined || (await queries.hasUndecided(atMs));
    },
    async closeExpired() {
      const atMs = now();
      const rows = await db
        .updateTable('exceptions')
        .set({ status: 'expired', changed_at_ms: atMs })
        .where('status', '=', 'approved')
        .where('id', 'in', (query) =>
          query
            .selectFrom('exceptions')
            .select('id')
            .where('status', '=', sql.lit('approved'))
            .where('expires_at_ms', '<=', atMs)
            .orderBy('expires_at_ms')
            .limit(CLOSE_STEP),
        )
        .returningAll()
        .execute();
      const undecided = await queries.closeUndecided(atMs, CLOSE_STEP, { status: 'expired' });
      return [...rows, ...undecided].map((row) => readAt(row, atMs));
    },
  };
}

function statusIs(status: Exception['status'], atMs: number): If {
  switch (status) {
    case 'pending':
      return isPendingAt(atMs);
    case 'approved':
      return (q) => q.and([q('status', '=', 'approved'), q('expires_at_ms', '>', atMs)]);
    case 'expired':
      return (q) =>
        q.or([
          q('status', '=', 'expired'),
          q.and([q('status', '=', 'approved'), q('expires_at_ms', '<=', atMs)]),
          isUndecidedAt<'exceptions'>(atMs)(q),
        ]);
    default:
      return (q) => q('status', '=', status);
  }
}

/** A request expires at its time, even before the expiry is stored. */
function readAt(row: Database['exceptions'], atMs: number): Exception {
  const exception = exceptionTable.read(row);
  const pendingUntilMs = pendingUntil(row, atMs);
  const isOver =
    row.status === 'pending'
      ? pendingUntilMs === null
      : row.status === 'approved' && row.expires_at_ms !== null && row.expires_at_ms <= atMs;
  return { ...exception, pendingUntilMs, ...(isOver && { status: 'expired' }) };
}

function readAtOrNull(row: Database['exceptions'] | undefined, atMs: number): Exception | null {
  return row === undefined ? null : readAt(row, atMs);
}
