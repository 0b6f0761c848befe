import type { FastifyInstance } from 'fastify';
import { registerApprovals } from './approvals.ts';
import { registerDashboardDevices } from './devices.ts';
import { registerEnrollments } from './enrollments.ts';
import { registerEvents } from './events.ts';
import { registerDashboardKeys } from './keys.ts';
import { registerOverview } from './overview.ts';
import { registerPlayground } from './playground.ts';
import { registerDashboardProjects } from './projects.ts';
import { registerTestRuns } from './security-testing.ts';
import { registerTools } from './tools.ts';

export type DeskDeps = Parameters<typeof registerApprovals>[1] &
  Parameters<typeof registerDashboardDevices>[1] &
  Parameters<typeof registerDashboardKeys>[1] &
  Parameters<typeof registerDashboardProjects>[1] &
  Parameters<typeof registerEnrollments>[1] &
  Parameters<typeof registerEvents>[1] &
  Parameters<typeof registerOverview>[1] &
  Parameters<typeof registerPlayground>[1] &
  Parameters<typeof registerTestRuns>[1] &
  Parameters<typeof registerTools>[1];

/** What people look at and work with every day. */
export function registerDesk(app: FastifyInstance, deps: DeskDeps): void {
  registerOverview(app, deps);
  registerEvents(app, deps);
  registerDashboardKeys(app, deps);
  registerDashboardProjects(app, deps);
  registerPlayground(app, deps);
  registerDashboardDevices(app, deps);
  registerEnrollments(app, deps);
  registerApprovals(app, deps);
  registerTools(app, deps);
  registerTestRuns(app, deps);
}
