import type { FastifyInstance } from 'fastify';
import type { UsageOverviewDeps } from '../../flows/usage-alerts/read-usage-overview.ts';
import { type AuditRouteDeps, registerAudit } from './audit.ts';
import { type PolicyRouteDeps, registerPolicies } from './policies.ts';
import { type RetentionRouteDeps, registerRetention } from './retention.ts';
import { registerUsage } from './usage.ts';
import { registerWebhooks, type WebhookRouteDeps } from './webhooks.ts';

export type GovernanceDeps = WebhookRouteDeps &
  PolicyRouteDeps &
  AuditRouteDeps &
  RetentionRouteDeps &
  UsageOverviewDeps;

/** What decides, what is told to others and what is kept. */
export function registerGovernance(app: FastifyInstance, deps: GovernanceDeps): void {
  registerPolicies(app, deps);
  registerAudit(app, deps);
  registerRetention(app, deps);
  registerUsage(app, deps);
  registerWebhooks(app, deps);
}
