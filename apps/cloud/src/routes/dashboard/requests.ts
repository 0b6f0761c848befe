import {
  type DecideException,
  type DecideMany,
  type DecideRequest,
  dashboardExceptionSchema,
  dashboardRequestSchema,
  dashboardToolRequestSchema,
  dashboardToolReviewSchema,
  decideExceptionSchema,
  decideManySchema,
  decideRequestSchema,
  feedbackSchema,
  idSchema,
  manyDecidedSchema,
  type RequestKind,
  type RequestQuery,
  requestQuerySchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { Admin } from '../../access/caller.ts';
import { cancelRequest, readRequest } from '../../flows/approvals/cancel-request.ts';
import { decideMany, decideRequest } from '../../flows/approvals/decide-request.ts';
import { type RequestViewDeps, readRequestViews } from '../../flows/approvals/read-request-views.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { AnyRequest, Storage } from '../../storage/storage.ts';
import { kindViews, MAX_REQUESTS } from '../requestable.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

interface DashboardRequestDeps extends RequestViewDeps {
  readonly storage: RequestViewDeps['storage'] & Pick<Storage, 'requests' | 'transaction'>;
}

const MAX_REVIEWS = 100;
const canDecide = needsRole('admin', { isByProject: true });

/** Registers the requests that wait for a person, of every kind, and the routes of each kind as views of them. */
export function registerDashboardRequests(app: FastifyInstance, deps: DashboardRequestDeps): void {
  registerInbox(app, deps);
  registerOneRequest(app, deps);
  registerDecisions(app, deps);
  registerReviewViews(app, deps);
}

function approverOf(request: FastifyRequest): Admin {
  return { ...memberOf(request), isByToken: request.isByToken };
}

function registerInbox(app: FastifyInstance, deps: DashboardRequestDeps): void {
  app.get<{ Querystring: RequestQuery }>(
    '/requests',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listRequests',
        area: 'Requests',
        summary: 'List requests',
        description: `Requests that wait for a person's decision, and those that were decided: exceptions, AI tools, tool calls of agents, and reports of false positives. At most ${MAX_REQUESTS}, newest first.`,
        query: requestQuerySchema,
        response: Type.Array(dashboardRequestSchema),
      }),
    },
    async (request) => {
      const found = await deps.storage.requests.list(memberOf(request).organizationId, {
        ...{ limit: MAX_REQUESTS, ...request.query },
        ...(request.query.status === undefined ? { without: 'recorded' } : {}),
      });
      return inboxViews(deps, request, found);
    },
  );
}

function registerOneRequest(app: FastifyInstance, deps: DashboardRequestDeps): void {
  const params = Type.Object({ request_id: idSchema });
  interface Params {
    request_id: string;
  }
  app.get<{ Params: Params }>(
    '/requests/:request_id',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        ...{ id: 'getRequest', area: 'Requests', summary: 'Get a request', params },
        ...{ response: dashboardRequestSchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const which = { id: request.params.request_id };
      return (await inboxViews(deps, request, [await readRequest(deps, callerOf(request), which)]))[0];
    },
  );

  app.post<{ Params: Params; Body: DecideException }>(
    '/requests/:request_id/decision',
    {
      config: canDecide,
      schema: dashboardRoute({
        id: 'decideRequest',
        area: 'Requests',
        summary: 'Approve or deny a request',
        description:
          'The first decision applies. Nobody decides their own request, except a tool call that an agent makes with their key.',
        params,
        body: decideExceptionSchema,
        response: dashboardRequestSchema,
        codes: ['not_found', 'invalid_state', 'invalid_request'],
      }),
    },
    async (request) => {
      const which = { id: request.params.request_id };
      const decided = await decideRequest(deps, approverOf(request), which, verdictOf(request.body));
      return (await inboxViews(deps, request, [decided]))[0];
    },
  );

  app.post<{ Params: Params }>(
    '/requests/:request_id/cancel',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'cancelRequest',
        area: 'Requests',
        summary: 'Cancel a request, or revoke its approval',
        description: 'Exceptions and AI tools can be cancelled. Viewers can cancel only their own requests.',
        params,
        response: dashboardRequestSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const which = { id: request.params.request_id };
      return (await inboxViews(deps, request, [await cancelRequest(deps, callerOf(request), which)]))[0];
    },
  );
}

function registerDecisions(app: FastifyInstance, deps: DashboardRequestDeps): void {
  app.post<{ Body: DecideMany }>(
    '/approvals/decisions',
    {
      config: canDecide,
      schema: dashboardRoute({
        id: 'decideRequests',
        area: 'Requests',
        summary: 'Approve or deny several requests',
        description:
          'Decides each request separately and in order, as its own route would; `failed` lists the requests that were not decided, and why. Exceptions are approved for the requested duration.',
        body: decideManySchema,
        response: manyDecidedSchema,
      }),
    },
    (request) => decideMany(deps, approverOf(request), request.body),
  );

  registerDecision(app, deps, 'false_positive', {
    path: '/feedback/:feedback_id/decision',
    id: 'decideFeedback',
    summary: 'Approve or deny allowing the texts of a reported event',
    description:
      'After approval, exactly these texts are neither blocked nor withheld in their project from the next request on. The first decision applies.',
    params: Type.Object({ feedback_id: idSchema }),
    response: feedbackSchema,
  });
  registerDecision(app, deps, 'exception', {
    path: '/exceptions/:exception_id/decision',
    id: 'decideException',
    summary: 'Approve or deny an exception',
    description:
      'An approved exception is active from now and expires automatically. The first decision applies.',
    params: Type.Object({ exception_id: idSchema }),
    response: dashboardExceptionSchema,
  });
  registerDecision(app, deps, 'tool_request', {
    path: '/tool-requests/:request_id/decision',
    id: 'decideToolRequest',
    summary: 'Approve or deny a request for an AI tool',
    params: Type.Object({ request_id: idSchema }),
    response: dashboardToolRequestSchema,
  });
}

interface DecisionDocs {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly params: TSchema;
  readonly response: TSchema;
  readonly area?: 'Agent tools';
}

/** The decision on requests of one kind. */
function registerDecision(
  app: FastifyInstance,
  deps: DashboardRequestDeps,
  kind: RequestKind,
  { path, area = 'Requests' as 'Agent tools', ...docs }: DecisionDocs,
): void {
  app.post<{ Params: Record<string, string>; Body: DecideRequest & DecideException }>(
    path,
    {
      config: canDecide,
      schema: dashboardRoute({
        ...{ ...docs, area },
        body: kind === 'exception' ? decideExceptionSchema : decideRequestSchema,
        codes: [
          'not_found',
          'invalid_state',
          ...(kind === 'exception' ? (['invalid_request'] as const) : []),
        ],
      }),
    },
    async (request) => {
      const which = { id: Object.values(request.params)[0]!, kind };
      const decided = await decideRequest(deps, approverOf(request), which, verdictOf(request.body));
      return (await kindViews(deps, request, [decided]))[0];
    },
  );
}

function registerReviewViews(app: FastifyInstance, deps: DashboardRequestDeps): void {
  app.get(
    '/tool-reviews',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listToolReviews',
        area: 'Agent tools',
        summary: 'List tool call reviews',
        description: `The newest ${MAX_REVIEWS}, newest first.`,
        response: Type.Array(dashboardToolReviewSchema),
      }),
    },
    async (request) => {
      const filter = { kind: 'tool_review', limit: MAX_REVIEWS } as const;
      const found = await deps.storage.requests.list(memberOf(request).organizationId, filter);
      return kindViews(deps, request, found);
    },
  );
  registerDecision(app, deps, 'tool_review', {
    path: '/tool-reviews/:review_id/decision',
    area: 'Agent tools',
    id: 'decideToolReview',
    summary: 'Approve or deny a tool call',
    description: 'An approved call is allowed once, within an hour.',
    params: Type.Object({ review_id: idSchema }),
    response: dashboardToolReviewSchema,
  });
}

function verdictOf({ decision, reason, minutes, threat }: DecideException) {
  return { approve: decision === 'approve', reason, minutes, threat };
}

/** In the shape that all kinds share. */
function inboxViews(deps: DashboardRequestDeps, request: FastifyRequest, found: readonly AnyRequest[]) {
  return readRequestViews(deps, memberOf(request), found);
}
