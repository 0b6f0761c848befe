import {
  createExceptionSchema,
  createToolRequestSchema,
  dashboardExceptionSchema,
  dashboardToolRequestSchema,
  exceptionSchema,
  exceptionStatusEnum,
  idSchema,
  type RequestKind,
  toolRequestSchema,
  toolRequestStatusEnum,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { cancelRequest, readRequest } from '../flows/approvals/cancel-request.ts';
import { type CreateRequestDeps, requestException, requestTool } from '../flows/approvals/create-request.ts';
import { type RequestViewDeps, readRequestViews } from '../flows/approvals/read-request-views.ts';
import { rowOf } from '../flows/approvals/request-kinds.ts';
import { memberOf } from '../plugins/session.ts';
import type { AnyRequest, RequestStatus, Storage } from '../storage/storage.ts';
import type { Mount } from './mount.ts';

interface RequestableDeps extends CreateRequestDeps, RequestViewDeps {
  readonly storage: CreateRequestDeps['storage'] & RequestViewDeps['storage'] & Pick<Storage, 'requests'>;
}

/** The newest that a list contains. */
export const MAX_REQUESTS = 200;

/** The kinds that people and devices request themselves. */
const REQUESTABLE = {
  exception: {
    path: '/exceptions',
    parameter: 'exception_id',
    statuses: exceptionStatusEnum,
    body: createExceptionSchema,
    create: requestException,
    scope: 'exceptions',
    record: exceptionSchema,
    view: dashboardExceptionSchema,
    isShownAlone: true,
    operations: ['Exceptions', 'Exception', 'Exception'],
    nouns: ['exceptions', 'an exception'],
    request: 'Request a temporary exception',
    about: {
      byKey:
        'The exception is pending until another person approves it. It is then active for `requested_minutes` and expires automatically.',
      byPerson:
        'The exception is for the whole organization. Nothing changes until an admin other than you approves it.',
    },
    cancel: 'Cancels a pending request, or ends an active exception immediately.',
  },
  tool_request: {
    path: '/tool-requests',
    parameter: 'request_id',
    statuses: toolRequestStatusEnum,
    body: createToolRequestSchema,
    create: requestTool,
    scope: 'tool_requests',
    record: toolRequestSchema,
    view: dashboardToolRequestSchema,
    isShownAlone: false,
    operations: ['ToolRequests', 'Tool', 'ToolRequest'],
    nouns: ['tool requests', 'a tool request'],
    request: 'Request a blocked AI tool',
    about: {
      byKey: 'The request is pending until another person decides.',
      byPerson: 'The request is pending until an admin other than you decides.',
    },
    cancel: 'Cancels a pending request, or an approval.',
  },
} as const;

export const recordOf = (request: AnyRequest) => rowOf<RequestKind>(request.kind).record(request);

/** In the shape of the kind's own routes, with what people see beside it. */
export async function kindViews(
  deps: RequestViewDeps,
  request: FastifyRequest,
  found: readonly AnyRequest[],
): Promise<object[]> {
  const views = await readRequestViews(deps, memberOf(request), found);
  return found.map((one, at) => ({ ...views[at], ...views[at]!.details, ...recordOf(one) }));
}

/**
 * Registers the routes that list, create and cancel requests of one kind. A device has access to its own, a key to those
 * of its organization.
 */
export const registerRequestable =
  (kind: keyof typeof REQUESTABLE, by: Mount) =>
  (app: FastifyInstance, deps: RequestableDeps): void => {
    const { path, parameter, scope, statuses, body, record, view, operations, nouns, about } =
      REQUESTABLE[kind];
    const create = REQUESTABLE[kind].create as typeof requestException;
    const [listed, made, one] = operations;
    const config = by.access({ scope, role: 'viewer', isForDevices: true });
    const response = by.isByKey ? record : view;
    const show = async (request: FastifyRequest, found: readonly AnyRequest[]): Promise<object[]> =>
      by.isByKey ? found.map(recordOf) : await kindViews(deps, request, found);
    const params = Type.Object({ [parameter]: idSchema });
    const idOf = (request: FastifyRequest) => (request.params as Record<string, string>)[parameter]!;

    app.get<{ Querystring: { status?: RequestStatus } }>(
      path,
      {
        config,
        schema: by.document(['list', listed], 'Requests', {
          ...{ summary: `List ${nouns[0]}`, description: `The newest ${MAX_REQUESTS}, newest first.` },
          ...{ query: Type.Object({ status: Type.Optional(statuses) }), response: Type.Array(response) },
        }),
      },
      async (request) => {
        const { organizationId, deviceId } = by.callerOf(request);
        const { status } = request.query;
        const found = await deps.storage.requests.list(organizationId, {
          ...{ kind, limit: MAX_REQUESTS },
          ...(deviceId === null ? {} : { deviceId }),
          ...(status === undefined ? {} : { status }),
        });
        return await show(request, found);
      },
    );

    app.post<{ Body: Parameters<typeof create>[2] }>(
      path,
      {
        config,
        schema: by.document(['request', made], 'Requests', {
          ...{ summary: REQUESTABLE[kind].request, description: about[by.isByKey ? 'byKey' : 'byPerson'] },
          ...{ body, response },
        }),
      },
      async (request) => {
        const changing = by.forChange(deps, request, recordOf);
        return (await show(request, [await create(changing, by.callerOf(request), request.body)]))[0];
      },
    );

    if (REQUESTABLE[kind].isShownAlone) {
      app.get(
        `${path}/:${parameter}`,
        {
          config,
          schema: by.document(['get', one], 'Requests', {
            ...{ summary: `Get ${nouns[1]}`, params, response, codes: ['not_found'] },
          }),
        },
        async (request) => {
          const found = await readRequest(deps, by.callerOf(request), { id: idOf(request), kind });
          return (await show(request, [found]))[0];
        },
      );
    }

    app.post(
      `${path}/:${parameter}/cancel`,
      {
        config,
        schema: by.document(['cancel', one], 'Requests', {
          ...{ summary: `Cancel ${nouns[1]}`, params, response },
          description: `${REQUESTABLE[kind].cancel}${by.isByKey ? '' : ' Viewers can cancel only their own requests.'}`,
          codes: ['not_found', 'invalid_state', ...(by.isByKey ? (['insufficient_role'] as const) : [])],
        }),
      },
      async (request) => {
        const which = { id: idOf(request), kind };
        const changing = by.forChange(deps, request, recordOf);
        return (await show(request, [await cancelRequest(changing, by.callerOf(request), which)]))[0];
      },
    );
  };
