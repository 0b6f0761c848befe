import { newId } from '../ids.ts';
import { type ToolRequest, type ToolRequests, toolRequestTable } from '../model/approvals.ts';
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
/** The fixed set of states has no `expired`. */
const EXPIRED = { status: 'cancelled', decision_reason: 'Not decided in time.' } as const;

export function createToolRequests({ db, now }: RepositoryDeps): ToolRequests {
  const queries = createApprovalQueries(db, 'tool_requests');
  return {
    async insert(organizationId, input) {
      const atMs = now();
      const row: Database['tool_requests'] = {
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
        event_id: toStorableTextOrNull(input.eventId ?? null),
      };
      await db.insertInto('tool_requests').values(row).execute();
      return readAt(row, atMs);
    },
    async get(organizationId, requestId) {
      return readAtOrNull(await queries.get(organizationId, requestId), now());
    },
    async list(organizationId, { status, ...filter } = {}) {
      const atMs = now();
      const rows = await queries.list(organizationId, filter, status && statusIs(status, atMs));
      return rows.map((row) => readAt(row, atMs));
    },
    countPending: (organizationId, deviceId) => queries.countPending(organizationId, deviceId, now()),
    async listApproved(organizationId, place) {
      const atMs = now();
      return (await queries.listApproved(organizationId, place)).map((row) => readAt(row, atMs));
    },
    listDevicesApproved: (organizationId) => queries.listDevicesApproved(organizationId),
    async decide(organizationId, requestId, decision) {
      const atMs = now();
      return readAtOrNull(await queries.decide(organizationId, requestId, decision, atMs), atMs);
    },
    async cancel(organizationId, requestId, cancelledBy) {
      const atMs = now();
      return readAtOrNull(await queries.cancel(organizationId, requestId, cancelledBy, atMs), atMs);
    },
    async changedSince(organizationIds, sinceMs) {
      const atMs = now();
      return (await queries.changedSince(organizationIds, sinceMs)).map((row) => readAt(row, atMs));
    },
    hasExpired: () => queries.hasUndecided(now()),
    async closeExpired() {
      const atMs = now();
      const change = { ...EXPIRED, decided_at_ms: atMs };
      return (await queries.closeUndecided(atMs, CLOSE_STEP, change)).map((row) => readAt(row, atMs));
    },
  };
}

function statusIs(status: ToolRequest['status'], atMs: number): Condition<'tool_requests'> {
  switch (status) {
    case 'pending':
      return isPendingAt(atMs);
    case 'cancelled':
      return (q) => q.or([q('status', '=', 'cancelled'), isUndecidedAt<'tool_requests'>(atMs)(q)]);
    default:
      return (q) => q('status', '=', status);
  }
}

/** A request expires at its time, even before the expiry is stored. */
function readAt(row: Database['tool_requests'], atMs: number): ToolRequest {
  const request = toolRequestTable.read(row);
  const pendingUntilMs = pendingUntil(row, atMs);
  const isOver = row.status === 'pending' && pendingUntilMs === null;
  return {
    ...request,
    pendingUntilMs,
    ...(isOver && { status: EXPIRED.status, decisionReason: EXPIRED.decision_reason }),
  };
}

function readAtOrNull(row: Database['tool_requests'] | undefined, atMs: number): ToolRequest | null {
  return row === undefined ? null : readAt(row, atMs);
}
