import {
  OVERVIEW_SPANS,
  type OverviewSpan,
  overviewSchema,
  pendingCountsSchema,
  type VersionResponse,
  versionSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { countPendingRequests } from '../../flows/insight/count-pending-requests.ts';
import { type OverviewDeps, readOverview } from '../../flows/insight/read-overview.ts';
import { needsRole, needsSession } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface OverviewDependencies extends OverviewDeps {
  readonly storage: Storage;
  readonly build: VersionResponse;
}

/** Registers data for the frame of every page and for the first one: version, pending work, and recent counts. */
export function registerOverview(app: FastifyInstance, deps: OverviewDependencies): void {
  // The only route that reveals the version.
  app.get(
    '/version',
    {
      config: needsSession({ isForSso: true }),
      schema: dashboardRoute({
        id: 'getRunningVersion',
        area: 'Overview',
        summary: 'Get the running version',
        response: versionSchema,
      }),
    },
    async () => deps.build,
  );
  app.get(
    '/approvals/waiting',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'countPendingRequests',
        area: 'Requests',
        summary: 'Count pending requests',
        response: pendingCountsSchema,
      }),
    },
    (request) => countPendingRequests(deps, memberOf(request).organizationId),
  );
  app.get<{ Querystring: { span?: OverviewSpan; project_id?: string } }>(
    '/overview',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getOverview',
        area: 'Overview',
        summary: 'Get the figures of the last hours or days',
        description: 'Spans end with the current hour, six hours or day, in UTC.',
        query: Type.Object({
          span: Type.Optional(Type.Enum([...OVERVIEW_SPANS], { default: '24h' })),
          project_id: Type.Optional(Type.String({ maxLength: 64 })),
        }),
        response: overviewSchema,
      }),
    },
    (request) => {
      const { span = '24h', project_id: projectId } = request.query;
      return readOverview(deps, memberOf(request).organizationId, {
        span,
        ...(projectId === undefined ? {} : { projectId }),
      });
    },
  );
}
