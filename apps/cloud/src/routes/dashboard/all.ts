import type { FastifyInstance } from 'fastify';
import { type LoadSheddingDeps, registerLoadShedding } from '../../plugins/load-shedding.ts';
import { registerSessions } from '../../plugins/session.ts';
import type { PolicyWebhookDeps } from '../../webhooks/policy-endpoint/change-policy-webhook.ts';
import { type DeskDeps, registerDesk } from './desk.ts';
import { type GovernanceDeps, registerGovernance } from './governance.ts';
import { type PeopleDeps, registerPeople } from './people.ts';
import { registerPolicyWebhook } from './policy-webhook.ts';
import { registerVersion } from './version.ts';

export type DashboardDeps = Parameters<typeof registerVersion>[1] &
  PeopleDeps &
  DeskDeps &
  GovernanceDeps &
  LoadSheddingDeps &
  PolicyWebhookDeps;

/** Everything under `/dashboard` that the pages talk to. */
export async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  await registerSessions(app, deps);
  registerLoadShedding(app, deps);
  registerPeople(app, deps);
  registerVersion(app, deps);
  registerDesk(app, deps);
  registerGovernance(app, deps);
  registerPolicyWebhook(app, deps);
}
