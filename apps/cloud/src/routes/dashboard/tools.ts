import {
  type DashboardToolReview,
  type DecideRequest,
  dashboardToolReviewSchema,
  decideRequestSchema,
  idSchema,
  type ToolLists,
  toolListsSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { changeToolLists, readToolLists } from '../../flows/agent/change-tool-lists.ts';
import { decideToolReview, type ReviewDeps, toolReviewRecord } from '../../flows/agent/tool-reviews.ts';
import { type RequestContextDeps, readRequestContext } from '../../flows/approvals/read-request-context.ts';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage, ToolReview } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

const projectParams = Type.Object({ project_id: idSchema });
const reviewParams = Type.Object({ review_id: idSchema });
const MAX_LISTED = 100;

/** Registers the tools that agents may call, and calls that await approval. */
export function registerTools(
  app: FastifyInstance,
  deps: ReviewDeps & NameDeps & { storage: Storage },
): void {
  registerToolLists(app, deps);
  registerToolReviews(app, deps);
}

function registerToolLists(app: FastifyInstance, deps: ReviewDeps & NameDeps & { storage: Storage }): void {
  app.get<{ Params: { project_id: string } }>(
    '/projects/:project_id/tools',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getToolLists',
        area: 'Agent tools',
        summary: 'Get the tool lists of a project',
        params: projectParams,
        response: toolListsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => readToolLists(deps, memberOf(request).organizationId, request.params.project_id),
  );

  app.put<{ Params: { project_id: string }; Body: ToolLists }>(
    '/projects/:project_id/tools',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'replaceToolLists',
        area: 'Agent tools',
        summary: 'Replace the tool lists of a project',
        params: projectParams,
        body: toolListsSchema,
        response: toolListsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => changeToolLists(deps, memberOf(request), request.params.project_id, request.body),
  );
}

function registerToolReviews(app: FastifyInstance, deps: ReviewDeps & NameDeps & { storage: Storage }): void {
  app.get(
    '/tool-reviews',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listToolReviews',
        area: 'Agent tools',
        summary: 'List tool call reviews',
        description: `The newest ${MAX_LISTED}, newest first.`,
        response: Type.Array(dashboardToolReviewSchema),
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const reviews = await deps.storage.toolReviews.list(organizationId, { limit: MAX_LISTED });
      return forDashboard(deps, organizationId, reviews);
    },
  );

  app.post<{ Params: { review_id: string }; Body: DecideRequest }>(
    '/tool-reviews/:review_id/decision',
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        id: 'decideToolReview',
        area: 'Agent tools',
        summary: 'Approve or deny a tool call',
        description: 'An approved call is allowed once, within an hour.',
        params: reviewParams,
        body: decideRequestSchema,
        response: dashboardToolReviewSchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const decided = await decideToolReview(deps, member, request.params.review_id, {
        approve: request.body.decision === 'approve',
        reason: request.body.reason ?? null,
      });
      return (await forDashboard(deps, member.organizationId, [decided]))[0]!;
    },
  );
}

async function forDashboard(
  deps: NameDeps & RequestContextDeps,
  organizationId: string,
  reviews: readonly ToolReview[],
): Promise<DashboardToolReview[]> {
  const names = await readNames(deps, organizationId);
  // Calls of a device are requested under the device's id.
  const requests = reviews.map((review) => ({
    ...review,
    deviceId: review.requestedBy.startsWith('dev_') ? review.requestedBy : null,
  }));
  const contexts = await readRequestContext(deps, organizationId, names, requests);
  return reviews.map((review) => {
    const record = toolReviewRecord(review);
    return {
      ...record,
      ...contexts.get(review.id)!,
      arguments: review.arguments,
      requester: names.of(record.requested_by),
      decider: record.decided_by === null ? null : names.of(record.decided_by),
    };
  });
}
