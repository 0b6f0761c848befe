import type { FastifyInstance } from 'fastify';
import { registerSessions } from '../../plugins/session.ts';
import { type DeskDeps, registerDesk } from './desk.ts';
import { type GovernanceDeps, registerGovernance } from './governance.ts';
import { registerSession } from './session.ts';
import { registerSetUp } from './set-up.ts';
import { registerVersion } from './version.ts';

export type DashboardDeps = Parameters<typeof registerSession>[1] &
  Parameters<typeof registerSetUp>[1] &
  Parameters<typeof registerVersion>[1] &
  DeskDeps &
  GovernanceDeps & { readonly forgetKeys: () => void };

/** Everything under `/dashboard` that the pages talk to. */
export async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  await registerSessions(app, deps);
  registerSession(app, deps);
  registerSetUp(app, deps);
  registerVersion(app, deps);
  registerDesk(app, deps);
  registerGovernance(app, deps);
}
