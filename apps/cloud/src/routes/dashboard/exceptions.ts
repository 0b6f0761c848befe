import {
  type CreateException,
  createExceptionSchema,
  type DashboardException,
  type DecideException,
  dashboardExceptionSchema,
  decideExceptionSchema,
  type ExceptionStatus,
  exceptionStatusEnum,
  idSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type DecideDeps, decideException } from '../../flows/approvals/decide-exception.ts';
import { type RequestContextDeps, readRequestContext } from '../../flows/approvals/read-request-context.ts';
import { exceptionRecord } from '../../flows/approvals/records.ts';
import {
  cancelException,
  type ExceptionDeps,
  requestException,
  unknownException,
} from '../../flows/approvals/request-exception.ts';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Exception } from '../../storage/storage.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const MAX_LISTED = 200;
const params = Type.Object({ exception_id: idSchema });
interface ExceptionParams {
  exception_id: string;
}

export interface DashboardExceptionDependencies
  extends ExceptionDeps,
    DecideDeps,
    NameDeps,
    RequestContextDeps {
  readonly storage: ExceptionDeps['storage'] & NameDeps['storage'] & RequestContextDeps['storage'];
}

export function registerDashboardExceptions(
  app: FastifyInstance,
  deps: DashboardExceptionDependencies,
): void {
  registerExceptionRequests(app, deps);
  registerOneException(app, deps);
}

function registerExceptionRequests(app: FastifyInstance, deps: DashboardExceptionDependencies): void {
  app.get<{ Querystring: { status?: ExceptionStatus } }>(
    '/exceptions',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listDashboardExceptions',
        area: 'Requests',
        summary: 'List exceptions',
        description: `The newest ${MAX_LISTED}, newest first.`,
        query: Type.Object({ status: Type.Optional(exceptionStatusEnum) }),
        response: Type.Array(dashboardExceptionSchema),
      }),
    },
    async (request) => {
      const { status } = request.query;
      const found = await deps.storage.exceptions.list(memberOf(request).organizationId, {
        limit: MAX_LISTED,
        ...(status === undefined ? {} : { status }),
      });
      return forDashboard(deps, request, found);
    },
  );

  app.post<{ Body: CreateException }>(
    '/exceptions',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'requestDashboardException',
        area: 'Requests',
        summary: 'Request a temporary exception',
        description:
          'The exception is for the whole organization. Nothing changes until an admin other than you approves it.',
        body: createExceptionSchema,
        response: dashboardExceptionSchema,
      }),
    },
    async (request) =>
      findForDashboard(deps, request, (await requestException(deps, callerOf(request), request.body)).id),
  );
}

function registerOneException(app: FastifyInstance, deps: DashboardExceptionDependencies): void {
  app.get<{ Params: ExceptionParams }>(
    '/exceptions/:exception_id',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getDashboardException',
        area: 'Requests',
        summary: 'Get an exception',
        params,
        response: dashboardExceptionSchema,
        codes: ['not_found'],
      }),
    },
    (request) => findForDashboard(deps, request, request.params.exception_id),
  );

  app.post<{ Params: ExceptionParams; Body: DecideException }>(
    '/exceptions/:exception_id/decision',
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        id: 'decideException',
        area: 'Requests',
        summary: 'Approve or deny an exception',
        description:
          'An approved exception is active from now and expires automatically. The first decision applies.',
        params,
        body: decideExceptionSchema,
        response: dashboardExceptionSchema,
        codes: ['not_found', 'invalid_state', 'invalid_request'],
      }),
    },
    async (request) => {
      const { decision, reason, minutes } = request.body;
      const decided = await decideException(deps, memberOf(request), request.params.exception_id, {
        approve: decision === 'approve',
        ...(reason === undefined ? {} : { reason }),
        ...(minutes === undefined ? {} : { minutes }),
      });
      return findForDashboard(deps, request, decided.id);
    },
  );

  app.post<{ Params: ExceptionParams }>(
    '/exceptions/:exception_id/cancel',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'cancelDashboardException',
        area: 'Requests',
        summary: 'Cancel a request for an exception, or revoke an active one',
        description: 'An active exception ends immediately. Viewers can cancel only their own requests.',
        params,
        response: dashboardExceptionSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) =>
      findForDashboard(
        deps,
        request,
        (await cancelException(deps, callerOf(request), request.params.exception_id)).id,
      ),
  );
}

async function forDashboard(
  deps: DashboardExceptionDependencies,
  request: FastifyRequest,
  exceptions: readonly Exception[],
) {
  const { organizationId, userId } = memberOf(request);
  const names = await readNames(deps, organizationId);
  const contexts = await readRequestContext(deps, organizationId, names, exceptions);
  return exceptions.map(
    (exception): DashboardException => ({
      ...exceptionRecord(exception),
      ...contexts.get(exception.id)!,
      requester: names.of(exception.requestedBy),
      decider: exception.decidedBy === null ? null : names.of(exception.decidedBy),
      is_own: [exception.requestedBy, exception.requesterUserId].includes(userId),
    }),
  );
}

async function findForDashboard(
  deps: DashboardExceptionDependencies,
  request: FastifyRequest,
  exceptionId: string,
) {
  const found = await deps.storage.exceptions.get(memberOf(request).organizationId, exceptionId);
  if (found === null) throw unknownException();
  return (await forDashboard(deps, request, [found]))[0]!;
}
