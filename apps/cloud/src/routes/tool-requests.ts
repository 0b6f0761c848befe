import {
  type CreateToolRequest,
  createToolRequestSchema,
  type ErrorCode,
  idSchema,
  type ToolRequestStatus,
  toolRequestSchema,
  toolRequestStatusEnum,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { toolRequestRecord } from '../flows/approvals/records.ts';
import { cancelToolRequest, requestTool, type ToolRequestDeps } from '../flows/approvals/tool-requests.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];
const MAX_LISTED = 200;

/** Registers requests for blocked AI tools. A device has access to its own, a key to those of its organization. */
export function registerToolRequests(app: FastifyInstance, deps: ToolRequestDeps): void {
  const config = needsScope('tool_requests', { device: true });
  app.get<{ Querystring: { status?: ToolRequestStatus } }>(
    '/tool-requests',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'listToolRequests',
        summary: 'List tool requests',
        description: `The newest ${MAX_LISTED}, newest first.`,
        query: Type.Object({ status: Type.Optional(toolRequestStatusEnum) }),
        response: Type.Array(toolRequestSchema),
        codes: CODES,
      }),
    },
    async (request) => {
      const { organizationId, deviceId } = principalOf(request);
      const { status } = request.query;
      const found = await deps.storage.toolRequests.list(organizationId, {
        limit: MAX_LISTED,
        ...(deviceId === null ? {} : { deviceId }),
        ...(status === undefined ? {} : { status }),
      });
      return found.map(toolRequestRecord);
    },
  );

  app.post<{ Body: CreateToolRequest }>(
    '/tool-requests',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'requestTool',
        summary: 'Request a blocked tool',
        description: 'The request is pending until another person decides.',
        body: createToolRequestSchema,
        response: toolRequestSchema,
        codes: CODES,
      }),
    },
    (request) => requestTool(withStoredResponse(deps, request), principalOf(request), request.body),
  );

  app.post<{ Params: { request_id: string } }>(
    '/tool-requests/:request_id/cancel',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'cancelToolRequest',
        summary: 'Cancel a tool request',
        description: 'Cancels a pending request, or an approval.',
        params: Type.Object({ request_id: idSchema }),
        response: toolRequestSchema,
        codes: [...CODES, 'not_found', 'invalid_state', 'insufficient_role'],
      }),
    },
    (request) =>
      cancelToolRequest(withStoredResponse(deps, request), principalOf(request), request.params.request_id),
  );
}
