import type { FastifyInstance } from 'fastify';
import { registerWebhooks, type WebhookRouteDeps } from './webhooks.ts';

export type GovernanceDeps = WebhookRouteDeps;

/** What decides, what is told to others and what is kept. */
export function registerGovernance(app: FastifyInstance, deps: GovernanceDeps): void {
  registerWebhooks(app, deps);
}
