import { OVERVIEW_SPANS, type OverviewSpan, overviewSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type OverviewDeps, readOverview } from '../../flows/insight/read-overview.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

export function registerOverview(app: FastifyInstance, deps: OverviewDeps): void {
  app.get<{ Querystring: { span?: OverviewSpan; project_id?: string } }>(
    '/overview',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        summary: 'The last hours or days in numbers',
        description: 'Spans end with the hour, six hours or day that is running; times are UTC.',
        query: Type.Object({
          span: Type.Optional(Type.Enum([...OVERVIEW_SPANS], { default: '24h' })),
          project_id: Type.Optional(Type.String({ maxLength: 64 })),
        }),
        answer: overviewSchema,
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
