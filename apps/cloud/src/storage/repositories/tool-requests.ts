import type { NotNull, Selectable } from 'kysely';
import { newId } from '../ids.ts';
import type { ToolRequest, ToolRequests } from '../model/approvals.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { inSteps, isActiveFor, listSize } from './approval-rows.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createToolRequests({ db, now }: RepositoryDeps): ToolRequests {
  const select = (organizationId: string) =>
    db.selectFrom('tool_requests').selectAll().where('organization_id', '=', organizationId);
  const update = (organizationId: string, requestId: string) =>
    db
      .updateTable('tool_requests')
      .where('organization_id', '=', organizationId)
      .where('id', '=', requestId)
      .returningAll();

  return {
    async insert(organizationId, input) {
      const atMs = now();
      const row = {
        id: newId('treq'),
        organization_id: organizationId,
        project_id: input.projectId,
        device_id: input.deviceId,
        requested_by: input.requestedBy,
        requester_user_id: input.requesterUserId,
        requested_host: toStorableText(input.requestedHost),
        requested_name: toStorableTextOrNull(input.requestedName),
        justification: toStorableTextOrNull(input.justification),
        status: 'pending',
        decided_by: null,
        decision_reason: null,
        decided_at_ms: null,
        created_at_ms: atMs,
        changed_at_ms: atMs,
      };
      await db.insertInto('tool_requests').values(row).execute();
      return toToolRequest(row);
    },
    async get(organizationId, requestId) {
      const row = await select(organizationId).where('id', '=', requestId).executeTakeFirst();
      return row === undefined ? null : toToolRequest(row);
    },
    async list(organizationId, { deviceId, status, limit, before } = {}) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (deviceId !== undefined) query = query.where('device_id', '=', deviceId);
      if (status !== undefined) query = query.where('status', '=', status);
      if (before !== undefined) {
        query = query.where((q) =>
          q.or([
            q('created_at_ms', '<', before.createdAtMs),
            q.and([q('created_at_ms', '=', before.createdAtMs), q('id', '<', before.id)]),
          ]),
        );
      }
      return (await query.execute()).map(toToolRequest);
    },
    async countPending(organizationId, deviceId) {
      const { count } = await db
        .selectFrom('tool_requests')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'pending')
        .where('device_id', '=', deviceId)
        .executeTakeFirstOrThrow();
      return count;
    },
    async listApproved(organizationId, scope) {
      const rows = await select(organizationId)
        .where('status', '=', 'approved')
        .where(isActiveFor<'tool_requests'>(scope))
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(toToolRequest);
    },
    async listDevicesApproved(organizationId) {
      const rows = await db
        .selectFrom('tool_requests')
        .select('device_id')
        .distinct()
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'approved')
        .where('device_id', 'is not', null)
        .$narrowType<{ device_id: NotNull }>()
        .execute();
      return rows.map((row) => row.device_id);
    },
    async decide(organizationId, requestId, { approve, decidedBy, reason }) {
      const atMs = now();
      const row = await update(organizationId, requestId)
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: atMs,
          changed_at_ms: atMs,
        })
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return row === undefined ? null : toToolRequest(row);
    },
    async cancel(organizationId, requestId, cancelledBy) {
      const atMs = now();
      const row = await update(organizationId, requestId)
        .set({ status: 'cancelled', decided_by: cancelledBy, decided_at_ms: atMs, changed_at_ms: atMs })
        .where('status', 'in', ['pending', 'approved'])
        .executeTakeFirst();
      return row === undefined ? null : toToolRequest(row);
    },
    async changedSince(organizationIds, sinceMs) {
      const rows = await inSteps(organizationIds, (step) =>
        db
          .selectFrom('tool_requests')
          .selectAll()
          .where('organization_id', 'in', step)
          .where('changed_at_ms', '>=', sinceMs)
          .orderBy('changed_at_ms')
          .execute(),
      );
      return rows.map(toToolRequest);
    },
  };
}

function toToolRequest(row: Selectable<Database['tool_requests']>): ToolRequest {
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    deviceId: row.device_id,
    requestedBy: row.requested_by,
    requesterUserId: row.requester_user_id,
    requestedHost: row.requested_host,
    requestedName: row.requested_name,
    justification: row.justification,
    status: row.status as ToolRequest['status'],
    decidedBy: row.decided_by,
    decisionReason: row.decision_reason,
    decidedAtMs: row.decided_at_ms,
    createdAtMs: row.created_at_ms,
    changedAtMs: row.changed_at_ms,
  };
}
