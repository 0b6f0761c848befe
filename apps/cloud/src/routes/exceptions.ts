import {
  type CreateException,
  createExceptionSchema,
  type ErrorCode,
  type ExceptionStatus,
  exceptionSchema,
  exceptionStatusEnum,
  idSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { exceptionRecord } from '../flows/approvals/records.ts';
import {
  cancelException,
  type ExceptionDeps,
  readException,
  requestException,
} from '../flows/approvals/request-exception.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];
const params = Type.Object({ exception_id: idSchema });
const MAX_LISTED = 200;

const config = needsScope('exceptions', { device: true });

/** Registers temporary exceptions. A device has access to its own, a key to those of its organization. */
export function registerExceptions(app: FastifyInstance, deps: ExceptionDeps): void {
  registerExceptionRequests(app, deps);
  registerExceptionState(app, deps);
}

function registerExceptionRequests(app: FastifyInstance, deps: ExceptionDeps): void {
  app.post<{ Body: CreateException }>(
    '/exceptions',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'requestException',
        summary: 'Request a temporary exception',
        description:
          'The exception is pending until another person approves it. It is then active for `requested_minutes` and expires automatically.',
        body: createExceptionSchema,
        response: exceptionSchema,
        codes: CODES,
      }),
    },
    (request) => requestException(withStoredResponse(deps, request), principalOf(request), request.body),
  );

  app.get<{ Querystring: { status?: ExceptionStatus } }>(
    '/exceptions',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'listExceptions',
        summary: 'List exceptions',
        description: `The newest ${MAX_LISTED}, newest first.`,
        query: Type.Object({ status: Type.Optional(exceptionStatusEnum) }),
        response: Type.Array(exceptionSchema),
        codes: CODES,
      }),
    },
    async (request) => {
      const { organizationId, deviceId } = principalOf(request);
      const { status } = request.query;
      const found = await deps.storage.exceptions.list(organizationId, {
        limit: MAX_LISTED,
        ...(deviceId === null ? {} : { deviceId }),
        ...(status === undefined ? {} : { status }),
      });
      return found.map(exceptionRecord);
    },
  );
}

function registerExceptionState(app: FastifyInstance, deps: ExceptionDeps): void {
  app.get(
    '/exceptions/active',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'listActiveExceptions',
        summary: 'List active exceptions',
        response: Type.Array(exceptionSchema),
        codes: CODES,
      }),
    },
    async (request) => {
      const { organizationId, deviceId } = principalOf(request);
      const found = await deps.storage.exceptions.list(organizationId, {
        status: 'approved',
        limit: MAX_LISTED,
        ...(deviceId === null ? {} : { deviceId }),
      });
      return found.map(exceptionRecord);
    },
  );

  app.get<{ Params: { exception_id: string } }>(
    '/exceptions/:exception_id',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'getException',
        summary: 'Get an exception',
        params,
        response: exceptionSchema,
        codes: [...CODES, 'not_found'],
      }),
    },
    (request) => readException(deps, principalOf(request), request.params.exception_id),
  );

  app.post<{ Params: { exception_id: string } }>(
    '/exceptions/:exception_id/cancel',
    {
      config,
      schema: documented({
        tag: 'Approvals',
        id: 'cancelException',
        summary: 'Cancel an exception',
        description: 'Cancels a pending request, or ends an active exception immediately.',
        params,
        response: exceptionSchema,
        codes: [...CODES, 'not_found', 'invalid_state', 'insufficient_role'],
      }),
    },
    (request) =>
      cancelException(withStoredResponse(deps, request), principalOf(request), request.params.exception_id),
  );
}
