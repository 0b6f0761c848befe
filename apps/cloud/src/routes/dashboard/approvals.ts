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
          'Each is decided on its own, in order, as by its own route; `failed` names those that were not, and why. Exceptions are approved for as long as requested.',
        body: decideManySchema,
        response: manyDecidedSchema,
      }),
    },
    (request) => decideMany(deps, memberOf(request), request.body),
  );
}
