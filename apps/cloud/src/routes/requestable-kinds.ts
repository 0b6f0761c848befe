import {
  createExceptionSchema,
  createToolRequestSchema,
  type ErrorCode,
  exceptionStatusEnum,
  idSchema,
  toolRequestStatusEnum,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { Caller } from '../access/caller.ts';
import { cancelRequest, readRequest } from '../flows/approvals/cancel-request.ts';
import { type CreateRequestDeps, requestException, requestTool } from '../flows/approvals/create-request.ts';
import type { AnyRequest, RequestStatus, Storage } from '../storage/storage.ts';
import type { Documented } from './documented.ts';

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
  },
  tool_request: {
    path: '/tool-requests',
    parameter: 'request_id',
    statuses: toolRequestStatusEnum,
    body: createToolRequestSchema,
    create: requestTool,
  },
} as const;

export interface RequestableDeps extends CreateRequestDeps {
  readonly storage: CreateRequestDeps['storage'] & Pick<Storage, 'members' | 'requests'>;
}

type Docs = Pick<Documented, 'id' | 'summary'> & { readonly description?: string };

/** Who calls the routes, and what they are shown. */
export interface RequestableEdge<D extends RequestableDeps> {
  readonly config: object;
  readonly response: TSchema;
  /** Error codes of every route. */
  readonly codes: readonly ErrorCode[];
  readonly docs: { readonly list: Docs; readonly create: Docs; readonly cancel: Docs; readonly get?: Docs };
  document(route: Omit<Documented, 'tag'>): Record<string, unknown>;
  callerOf(request: FastifyRequest): Caller;
  /** The dependencies of a change. */
  forChange(deps: D, request: FastifyRequest): D;
  show(deps: D, request: FastifyRequest, found: readonly AnyRequest[]): Promise<object[]>;
}

/** Registers the routes that list, create and cancel requests of one kind. */
export function registerRequestable<D extends RequestableDeps>(
  app: FastifyInstance,
  deps: D,
  kind: keyof typeof REQUESTABLE,
  edge: RequestableEdge<D>,
): void {
  const { path, statuses, body } = REQUESTABLE[kind];
  const create = REQUESTABLE[kind].create as typeof requestException;
  const { config, response, codes, docs } = edge;
  app.get<{ Querystring: { status?: RequestStatus } }>(
    path,
    {
      config,
      schema: edge.document({
        ...{ ...docs.list, description: `The newest ${MAX_REQUESTS}, newest first.`, codes },
        ...{ query: Type.Object({ status: Type.Optional(statuses) }), response: Type.Array(response) },
      }),
    },
    async (request) => {
      const { organizationId, deviceId } = edge.callerOf(request);
      const { status } = request.query;
      const found = await deps.storage.requests.list(organizationId, {
        ...{ kind, limit: MAX_REQUESTS },
        ...(deviceId === null ? {} : { deviceId }),
        ...(status === undefined ? {} : { status }),
      });
      return edge.show(deps, request, found);
    },
  );

  app.post<{ Body: Parameters<typeof create>[2] }>(
    path,
    { config, schema: edge.document({ ...docs.create, body, response, codes }) },
    async (request) => {
      const made = await create(edge.forChange(deps, request), edge.callerOf(request), request.body);
      return (await edge.show(deps, request, [made]))[0];
    },
  );
  registerOneRequestable(app, deps, kind, edge);
}

function registerOneRequestable<D extends RequestableDeps>(
  app: FastifyInstance,
  deps: D,
  kind: keyof typeof REQUESTABLE,
  edge: RequestableEdge<D>,
): void {
  const { path, parameter } = REQUESTABLE[kind];
  const { config, response, codes, docs } = edge;
  const params = Type.Object({ [parameter]: idSchema });
  const idOf = (request: FastifyRequest) => (request.params as Record<string, string>)[parameter]!;
  if (docs.get !== undefined) {
    app.get(
      `${path}/:${parameter}`,
      {
        config,
        schema: edge.document({ ...docs.get, params, response, codes: [...codes, 'not_found'] }),
      },
      async (request) => {
        const found = await readRequest(deps, edge.callerOf(request), { id: idOf(request), kind });
        return (await edge.show(deps, request, [found]))[0];
      },
    );
  }
  app.post(
    `${path}/:${parameter}/cancel`,
    { config, schema: edge.document({ ...docs.cancel, params, response, codes: cancelCodes(codes) }) },
    async (request) => {
      const which = { id: idOf(request), kind };
      const done = await cancelRequest(edge.forChange(deps, request), edge.callerOf(request), which);
      return (await edge.show(deps, request, [done]))[0];
    },
  );
}

/** Keys may have owners without the role; for people, that is an error of every route. */
function cancelCodes(codes: readonly ErrorCode[]): readonly ErrorCode[] {
  return [
    ...[...codes, 'not_found', 'invalid_state'],
    ...(codes.length === 0 ? [] : ['insufficient_role']),
  ] as ErrorCode[];
}
