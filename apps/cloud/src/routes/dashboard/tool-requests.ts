import {
  type CreateToolRequest,
  createToolRequestSchema,
  type DashboardToolRequest,
  type DecideRequest,
  dashboardToolRequestSchema,
  decideRequestSchema,
  idSchema,
  type ToolRequestStatus,
  toolRequestStatusEnum,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type RequestContextDeps, readRequestContext } from '../../flows/approvals/read-request-context.ts';
import { toolRequestRecord } from '../../flows/approvals/records.ts';
import {
  cancelToolRequest,
  decideToolRequest,
  requestTool,
  type ToolRequestDeps,
  unknownRequest,
} from '../../flows/approvals/tool-requests.ts';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage, ToolRequest } from '../../storage/storage.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const MAX_LISTED = 200;
const params = Type.Object({ request_id: idSchema });
interface RequestParams {
  request_id: string;
}

export interface DashboardToolRequestDependencies extends ToolRequestDeps, NameDeps, RequestContextDeps {
  readonly storage: ToolRequestDeps['storage'] &
    Pick<Storage, 'members'> &
    NameDeps['storage'] &
    RequestContextDeps['storage'];
}

export function registerDashboardToolRequests(
  app: FastifyInstance,
  deps: DashboardToolRequestDependencies,
): void {
  registerRequests(app, deps);
  registerDecisions(app, deps);
}

function registerRequests(app: FastifyInstance, deps: DashboardToolRequestDependencies): void {
  app.get<{ Querystring: { status?: ToolRequestStatus } }>(
    '/tool-requests',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listDashboardToolRequests',
        area: 'Requests',
        summary: 'List requests for AI tools',
        description: `The newest ${MAX_LISTED}, newest first.`,
        query: Type.Object({ status: Type.Optional(toolRequestStatusEnum) }),
        response: Type.Array(dashboardToolRequestSchema),
      }),
    },
    async (request) => {
      const { status } = request.query;
      const found = await deps.storage.toolRequests.list(memberOf(request).organizationId, {
        limit: MAX_LISTED,
        ...(status === undefined ? {} : { status }),
      });
      return forDashboard(deps, request, found);
    },
  );

  app.post<{ Body: CreateToolRequest }>(
    '/tool-requests',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'requestDashboardTool',
        area: 'Requests',
        summary: 'Request a blocked AI tool',
        body: createToolRequestSchema,
        response: dashboardToolRequestSchema,
      }),
    },
    async (request) =>
      findForDashboard(deps, request, (await requestTool(deps, callerOf(request), request.body)).id),
  );
}

function registerDecisions(app: FastifyInstance, deps: DashboardToolRequestDependencies): void {
  app.post<{ Params: RequestParams; Body: DecideRequest }>(
    '/tool-requests/:request_id/decision',
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        id: 'decideToolRequest',
        area: 'Requests',
        summary: 'Approve or deny a request for an AI tool',
        params,
        body: decideRequestSchema,
        response: dashboardToolRequestSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const { decision, reason } = request.body;
      const decided = await decideToolRequest(deps, memberOf(request), request.params.request_id, {
        approve: decision === 'approve',
        ...(reason === undefined ? {} : { reason }),
      });
      return findForDashboard(deps, request, decided.id);
    },
  );

  app.post<{ Params: RequestParams }>(
    '/tool-requests/:request_id/cancel',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'cancelDashboardToolRequest',
        area: 'Requests',
        summary: 'Cancel a request for an AI tool, or revoke its approval',
        params,
        response: dashboardToolRequestSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) =>
      findForDashboard(
        deps,
        request,
        (await cancelToolRequest(deps, callerOf(request), request.params.request_id)).id,
      ),
  );
}

async function forDashboard(
  deps: DashboardToolRequestDependencies,
  request: FastifyRequest,
  toolRequests: readonly ToolRequest[],
) {
  const { organizationId, userId } = memberOf(request);
  const names = await readNames(deps, organizationId);
  const contexts = await readRequestContext(deps, organizationId, names, toolRequests);
  return toolRequests.map(
    (each): DashboardToolRequest => ({
      ...toolRequestRecord(each),
      ...contexts.get(each.id)!,
      requester: names.of(each.requestedBy),
      decider: each.decidedBy === null ? null : names.of(each.decidedBy),
      is_own: [each.requestedBy, each.requesterUserId].includes(userId),
    }),
  );
}

async function findForDashboard(
  deps: DashboardToolRequestDependencies,
  request: FastifyRequest,
  requestId: string,
) {
  const found = await deps.storage.toolRequests.get(memberOf(request).organizationId, requestId);
  if (found === null) throw unknownRequest();
  return (await forDashboard(deps, request, [found]))[0]!;
}
