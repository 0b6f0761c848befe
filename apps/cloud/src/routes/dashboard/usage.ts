import { type ChangeSpending, changeSpendingSchema, usageOverviewSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import {
  changeSpending,
  readUsageOverview,
  type UsageOverviewDeps,
} from '../../flows/usage-alerts/read-usage-overview.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** Registers the account's month and plan. */
export function registerUsage(app: FastifyInstance, deps: UsageOverviewDeps): void {
  app.get(
    '/usage',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getUsageOverview',
        area: 'Usage',
        summary: 'Get the usage and plan of this month',
        description: 'Covers all organizations of the account that owns this one. Days are in UTC.',
        response: usageOverviewSchema,
      }),
    },
    (request) => readUsageOverview(deps, memberOf(request).account),
  );
  app.patch<{ Body: ChangeSpending }>(
    '/usage/spending',
    {
      config: needsRole('owner'),
      schema: dashboardRoute({
        id: 'updateSpending',
        area: 'Usage',
        summary: 'Update the limits on overage',
        body: changeSpendingSchema,
        response: usageOverviewSchema,
        codes: ['feature_not_available'],
      }),
    },
    (request) => changeSpending(deps, memberOf(request), request.body),
  );
}
