import type { FastifyInstance } from 'fastify';
import { type PolicyRouteDeps, registerPolicies } from './policies.ts';
import { registerWebhooks, type WebhookRouteDeps } from './webhooks.ts';

export type GovernanceDeps = WebhookRouteDeps & PolicyRouteDeps;

/** What decides, what is told to others and what is kept. */
export function registerGovernance(app: FastifyInstance, deps: GovernanceDeps): void {
  registerPolicies(app, deps);
  registerWebhooks(app, deps);
}
