import { type DecideMany, decideManySchema, manyDecidedSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type DecideManyDeps, decideMany } from '../../flows/approvals/decide-many.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** Registers bulk decisions on requests of every kind. */
export function registerApprovals(app: FastifyInstance, deps: DecideManyDeps): void {
  app.post<{ Body: DecideMany }>(
    '/approvals/decisions',
    {
      config: needsRole('admin', { isByProject: true }),
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
    (request) => decideMany(deps, memberOf(request), request.body),
  );
}
