import { type NotNull, type Selectable, sql } from 'kysely';
import { newId } from '../ids.ts';
import type { Exception, Exceptions } from '../model/approvals.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { inSteps, isActiveFor, listSize } from './approval-rows.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const CLOSE_STEP = 100;
const MINUTE_MS = 60_000;

export function createExceptions({ db, now }: RepositoryDeps): Exceptions {
  const select = (organizationId: string) =>
    db.selectFrom('exceptions').selectAll().where('organization_id', '=', organizationId);
  const update = (organizationId: string, exceptionId: string) =>
    db
      .updateTable('exceptions')
      .where('organization_id', '=', organizationId)
      .where('id', '=', exceptionId)
      .returningAll();

  return {
    async insert(organizationId, input) {
      const atMs = now();
      const row = {
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
      };
      await db.insertInto('exceptions').values(row).execute();
      return toException(row, atMs);
    },
    async get(organizationId, exceptionId) {
      const row = await select(organizationId).where('id', '=', exceptionId).executeTakeFirst();
      return row === undefined ? null : toException(row, now());
    },
    async list(organizationId, { deviceId, status, limit, before } = {}) {
      const atMs = now();
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (deviceId !== undefined) query = query.where('device_id', '=', deviceId);
      if (status === 'approved') {
        query = query.where('status', '=', 'approved').where('expires_at_ms', '>', atMs);
      } else if (status === 'expired') {
        query = query.where((q) =>
          q.or([
            q('status', '=', 'expired'),
            q.and([q('status', '=', 'approved'), q('expires_at_ms', '<=', atMs)]),
          ]),
        );
      } else if (status !== undefined) query = query.where('status', '=', status);
      if (before !== undefined) {
        query = query.where((q) =>
          q.or([
            q('created_at_ms', '<', before.createdAtMs),
            q.and([q('created_at_ms', '=', before.createdAtMs), q('id', '<', before.id)]),
          ]),
        );
      }
      return (await query.execute()).map((row) => toException(row, atMs));
    },
    async countPending(organizationId, deviceId) {
      const { count } = await db
        .selectFrom('exceptions')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'pending')
        .where('device_id', '=', deviceId)
        .executeTakeFirstOrThrow();
      return count;
    },
    async listActive(organizationId, scope, hostKey) {
      const atMs = now();
      let query = select(organizationId)
        // Approved is begun: asking the start as well would let another instance's clock delay it.
        .where('status', '=', 'approved')
        .where('expires_at_ms', '>', atMs)
        .where(isActiveFor<'exceptions'>(scope))
        .orderBy('created_at_ms')
        .orderBy('id');
      if (hostKey !== undefined) query = query.where('host_key', '=', toStorableText(hostKey));
      return (await query.execute()).map((row) => toException(row, atMs));
    },
    async listActiveDevices(organizationId) {
      const rows = await db
        .selectFrom('exceptions')
        .select('device_id')
        .distinct()
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'approved')
        .where('expires_at_ms', '>', now())
        .where('device_id', 'is not', null)
        .$narrowType<{ device_id: NotNull }>()
        .execute();
      return rows.map((row) => row.device_id);
    },
    async decide(organizationId, exceptionId, { approve, decidedBy, reason, minutes }) {
      const atMs = now();
      const row = await update(organizationId, exceptionId)
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: atMs,
          starts_at_ms: approve ? atMs : null,
          expires_at_ms: approve ? atMs + minutes * MINUTE_MS : null,
          changed_at_ms: atMs,
        })
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return row === undefined ? null : toException(row, atMs);
    },
    async cancel(organizationId, exceptionId, cancelledBy) {
      const atMs = now();
      const row = await update(organizationId, exceptionId)
        .set({ status: 'cancelled', decided_by: cancelledBy, decided_at_ms: atMs, changed_at_ms: atMs })
        .where((q) =>
          q.or([
            q('status', '=', 'pending'),
            q.and([q('status', '=', 'approved'), q('expires_at_ms', '>', atMs)]),
          ]),
        )
        .executeTakeFirst();
      return row === undefined ? null : toException(row, atMs);
    },
    async hasExpired() {
      const row = await db
        .selectFrom('exceptions')
        .select('id')
        .where('status', '=', sql.lit('approved'))
        .where('expires_at_ms', '<=', now())
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
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
      return rows.map((row) => toException(row, atMs));
    },
    async changedSince(organizationIds, sinceMs) {
      const atMs = now();
      const rows = await inSteps(organizationIds, (step) =>
        db
          .selectFrom('exceptions')
          .selectAll()
          .where('organization_id', 'in', step)
          .where('changed_at_ms', '>=', sinceMs)
          .orderBy('changed_at_ms')
          .execute(),
      );
      return rows.map((row) => toException(row, atMs));
    },
  };
}

function toException(row: Selectable<Database['exceptions']>, atMs: number): Exception {
  const isOver = row.status === 'approved' && row.expires_at_ms !== null && row.expires_at_ms <= atMs;
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    deviceId: row.device_id,
    requestedBy: row.requested_by,
    requesterUserId: row.requester_user_id,
    destinationHost: row.destination_host,
    policyId: row.policy_id,
    threat: row.threat,
    reasonCategory: row.reason_category,
    justification: row.justification,
    requestedMinutes: row.requested_minutes,
    status: isOver ? 'expired' : (row.status as Exception['status']),
    decidedBy: row.decided_by,
    decisionReason: row.decision_reason,
    decidedAtMs: row.decided_at_ms,
    startsAtMs: row.starts_at_ms,
    expiresAtMs: row.expires_at_ms,
    createdAtMs: row.created_at_ms,
    changedAtMs: row.changed_at_ms,
  };
}
