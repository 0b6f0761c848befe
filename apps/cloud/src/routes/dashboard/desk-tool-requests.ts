import {
  type CreateToolRequest,
  createToolRequestSchema,
  type DecideRequest,
  decideRequestSchema,
  TOOL_REQUEST_STATUSES,
  type ToolRequestOnDesk,
  type ToolRequestRecord,
  type ToolRequestStatus,
  toolRequestOnDeskSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { toolRequestRecord } from '../../flows/approvals/records.ts';
import { cancelToolRequest, decideToolRequest, requestTool } from '../../flows/approvals/tool-requests.ts';
import { readNames } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { ApprovalDeps } from './approvals.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const MAX_LISTED = 200;
const params = Type.Object({ request_id: Type.String({ maxLength: 64 }) });
interface RequestParams {
  request_id: string;
}

export function registerDeskToolRequests(app: FastifyInstance, deps: ApprovalDeps): void {
  const onDesk = async (request: FastifyRequest, records: readonly ToolRequestRecord[]) => {
    const { organizationId, userId } = memberOf(request);
    const names = await readNames(deps, organizationId);
    return records.map(
      (record): ToolRequestOnDesk => ({
        ...record,
        requester: names.of(record.requested_by),
        decider: record.decided_by === null ? null : names.of(record.decided_by),
        is_own: record.requested_by === userId,
      }),
    );
  };
  const one = async (request: FastifyRequest, record: ToolRequestRecord) =>
    (await onDesk(request, [record]))[0]!;

  app.get<{ Querystring: { status?: ToolRequestStatus } }>(
    '/tool-requests',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        summary: 'List requests for AI tools',
        description: `The newest ${MAX_LISTED}, newest first.`,
        query: Type.Object({ status: Type.Optional(Type.Enum([...TOOL_REQUEST_STATUSES])) }),
        answer: Type.Array(toolRequestOnDeskSchema),
      }),
    },
    async (request) => {
      const { status } = request.query;
      const found = await deps.storage.toolRequests.list(memberOf(request).organizationId, {
        limit: MAX_LISTED,
        ...(status === undefined ? {} : { status }),
      });
      return onDesk(request, found.map(toolRequestRecord));
    },
  );
  app.post<{ Body: CreateToolRequest }>(
    '/tool-requests',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        summary: 'Ask for a blocked AI tool',
        body: createToolRequestSchema,
        answer: toolRequestOnDeskSchema,
      }),
    },
    async (request) => one(request, await requestTool(deps, callerOf(request), request.body)),
  );
  app.post<{ Params: RequestParams; Body: DecideRequest }>(
    '/tool-requests/:request_id/decision',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        summary: 'Approve or deny a request for an AI tool',
        params,
        body: decideRequestSchema,
        answer: toolRequestOnDeskSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const { decision, reason } = request.body;
      const decided = await decideToolRequest(deps, memberOf(request), request.params.request_id, {
        approve: decision === 'approve',
        ...(reason === undefined ? {} : { reason }),
      });
      return one(request, decided);
    },
  );
  app.post<{ Params: RequestParams }>(
    '/tool-requests/:request_id/cancel',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        summary: 'Withdraw a request for an AI tool, or its approval',
        params,
        answer: toolRequestOnDeskSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) =>
      one(request, await cancelToolRequest(deps, callerOf(request), request.params.request_id)),
  );
}
