import { newId } from '../ids.ts';
import { type ToolRequests, toolRequestTable } from '../model/approvals.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { type Condition, createApprovalQueries } from './approval-queries.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const { read, readOrNull } = toolRequestTable;

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
      return read(row);
    },
    async get(organizationId, requestId) {
      return readOrNull(await queries.get(organizationId, requestId));
    },
    async list(organizationId, { status, ...filter } = {}) {
      const hasStatus: Condition<'tool_requests'> = (q) =>
        status === undefined ? q.lit(true) : q('status', '=', status);
      return (await queries.list(organizationId, filter, hasStatus)).map(read);
    },
    countPending: queries.countPending,
    async listApproved(organizationId, place) {
      return (await queries.listApproved(organizationId, place)).map(read);
    },
    listDevicesApproved: (organizationId) => queries.listDevicesApproved(organizationId),
    async decide(organizationId, requestId, decision) {
      return readOrNull(await queries.decide(organizationId, requestId, decision, now()));
    },
    async cancel(organizationId, requestId, cancelledBy) {
      return readOrNull(await queries.cancel(organizationId, requestId, cancelledBy, now()));
    },
    async changedSince(organizationIds, sinceMs) {
      return (await queries.changedSince(organizationIds, sinceMs)).map(read);
    },
  };
}
