import { pendingCountsSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { DecideDeps } from '../../flows/approvals/decide-exception.ts';
import type { ExceptionDeps } from '../../flows/approvals/request-exception.ts';
import type { ToolRequestDeps } from '../../flows/approvals/tool-requests.ts';
import { countPendingRequests } from '../../flows/insight/count-pending-requests.ts';
import type { NameDeps } from '../../flows/insight/read-names.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { registerDeskExceptions } from './desk-exceptions.ts';
import { registerDeskToolRequests } from './desk-tool-requests.ts';

export type ApprovalDeps = ExceptionDeps &
  ToolRequestDeps &
  DecideDeps &
  NameDeps & { readonly storage: Storage };

/** What somebody asked for and an admin decides. */
export function registerApprovals(app: FastifyInstance, deps: ApprovalDeps): void {
  app.get(
    '/approvals/waiting',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({ summary: 'How many requests wait', answer: pendingCountsSchema }),
    },
    (request) => countPendingRequests(deps, memberOf(request).organizationId),
  );
  registerDeskExceptions(app, deps);
  registerDeskToolRequests(app, deps);
}
